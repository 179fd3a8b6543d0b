package io.portcullis.agent.http;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.portcullis.agent.http.HttpRequestParser.BadRequestException;
import io.portcullis.agent.node.AuditLog;
import io.portcullis.agent.node.AuditLog.AdminCommandOutcome;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.election.machine.RoleName;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Executes the admin commands that operators send over HTTP. A command for an election gets its
 * response (202) as soon as it is accepted; {@code /api/status} shows the result. A reload gets its
 * response when it has finished. All commands are idempotent.
 */
final class AdminEndpoints {
  static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

  private final List<NodeElection> elections;
  private final Supplier<ReloadOutcome> reload;

  AdminEndpoints(List<NodeElection> elections, Supplier<ReloadOutcome> reload) {
    this.elections = elections;
    this.reload = reload;
  }

  /** Whether this is the path of an admin command. */
  static boolean has(String path) {
    return switch (path) {
      case "/api/drain", "/api/resume", "/api/step-down", "/api/reload" -> true;
      default -> false;
    };
  }

  HttpResponse handle(HttpRequest request) {
    try {
      AdminRequestBody body = AdminRequestBody.read(request.body());
      return request.path().equals("/api/reload")
          ? reload(body, request)
          : execute(election(body), body, request);
    } catch (BadRequestException e) {
      return e.toResponse();
    }
  }

  private NodeElection election(AdminRequestBody body) throws BadRequestException {
    String known =
        elections.stream().map(NodeElection::name).collect(Collectors.joining(", ", "", "."));
    if (body.election().isEmpty()) {
      if (elections.size() != 1) {
        throw new BadRequestException(400, "Name one of the elections: " + known);
      }
      return elections.get(0);
    }
    String name = body.election().get();
    for (NodeElection election : elections) {
      if (election.name().equals(name)) {
        return election;
      }
    }
    throw new BadRequestException(400, "There is no such election; there is: " + known);
  }

  private static HttpResponse execute(
      NodeElection election, AdminRequestBody body, HttpRequest request)
      throws BadRequestException {
    if (election.commandRefusal().isPresent()) {
      return HttpResponse.error(409, election.commandRefusal().get());
    }
    String what = request.path().substring("/api/".length());
    if (body.to().isPresent() && !what.equals("step-down")) {
      throw new BadRequestException(400, "\"to\" is allowed only for step-down; remove it.");
    }
    Duration atMost = Duration.ofSeconds(body.seconds().orElse(DEFAULT_DRAIN.toSeconds()));
    RoleName role = election.view().leadership().role();
    String next = AdminCommandOutcome.of(what, role);
    switch (what) {
      case "drain" -> election.drain(atMost);
      case "resume" -> election.resume();
      case "step-down" -> handOver(election, body, request);
      default -> throw new IllegalStateException("no admin command " + what);
    }
    AuditLog.given(election, what, origin(request), role);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", what);
    fields.put("election", election.name());
    fields.put("role", role.name());
    if (what.equals("drain")) {
      fields.put("seconds", atMost.toSeconds());
    }
    fields.put("next", next);
    return HttpResponse.json(202, StatusJson.render(fields));
  }

  /** If the named node can't take over, refuses with the reason and keeps the leadership. */
  private static void handOver(NodeElection election, AdminRequestBody body, HttpRequest request)
      throws BadRequestException {
    try {
      election.stepDown(body.to());
    } catch (IllegalStateException e) {
      AuditLog.refused(election, "step-down", origin(request), e);
      throw new BadRequestException(409, String.valueOf(e.getMessage()));
    }
  }

  private static String origin(HttpRequest request) {
    return "http from=" + request.from();
  }

  private HttpResponse reload(AdminRequestBody body, HttpRequest request)
      throws BadRequestException {
    if (body.election().isPresent() || body.seconds().isPresent() || body.to().isPresent()) {
      throw new BadRequestException(400, "A reload is for the whole node; leave the body empty.");
    }
    AuditLog.reload(origin(request));
    ReloadOutcome outcome = reload.get();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", "reload");
    fields.put("inForce", outcome.result() == ReloadOutcome.Result.IN_FORCE);
    fields.put("outcome", outcome.message());
    fields.put("problems", outcome.problems());
    return HttpResponse.json(
        switch (outcome.result()) {
          case IN_FORCE -> 200;
          case INVALID -> 422;
          case NEEDS_RESTART, NEEDS_COMMAND -> 409;
        },
        StatusJson.render(fields));
  }

  /**
   * Body of an admin command.
   *
   * @param seconds maximum time for calls in flight to finish
   * @param to the node that takes over
   */
  record AdminRequestBody(Optional<String> election, OptionalLong seconds, Optional<String> to) {
    static final long MAX_SECONDS = 3600;
    private static final String EXAMPLE = "{\"election\": \"writer\", \"seconds\": 30}";
    private static final List<String> KEYS = List.of("election", "seconds", "to");
    private static final int MAX_BRACKETS = 8;

    /** Parses the JSON; all fields are empty if the body is blank. */
    static AdminRequestBody read(String body) throws BadRequestException {
      if (body.isBlank()) {
        return new AdminRequestBody(Optional.empty(), OptionalLong.empty(), Optional.empty());
      }
      Map<String, ConfigValue> values = parsed(body).root();
      TreeSet<String> unknown = new TreeSet<>(values.keySet());
      KEYS.forEach(unknown::remove);
      if (!unknown.isEmpty()) {
        throw new BadRequestException(
            400, "Unknown: " + unknown.first() + ". The body may be like " + EXAMPLE + ".");
      }
      return new AdminRequestBody(
          name("election", values.get("election")),
          seconds(values.get("seconds")),
          name("to", values.get("to")));
    }

    /** Parses JSON with the configuration library, which saves a JSON dependency. */
    private static Config parsed(String body) throws BadRequestException {
      if (body.chars().filter(c -> c == '{' || c == '[').count() > MAX_BRACKETS) {
        throw new BadRequestException(400, "The body must be plain JSON like " + EXAMPLE + ".");
      }
      try {
        return ConfigFactory.parseString(
            body, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
      } catch (ConfigException e) {
        throw new BadRequestException(
            400, "The body is not JSON; leave it empty or send JSON like " + EXAMPLE + ".");
      }
    }

    private static Optional<String> name(String key, @Nullable ConfigValue value)
        throws BadRequestException {
      if (value == null || value.valueType() == ConfigValueType.NULL) {
        return Optional.empty();
      }
      if (value.valueType() != ConfigValueType.STRING) {
        throw new BadRequestException(
            400, key + " must be a name in quotes, as in " + EXAMPLE + ".");
      }
      return Optional.of(String.valueOf(value.unwrapped()));
    }

    private static OptionalLong seconds(@Nullable ConfigValue value) throws BadRequestException {
      if (value == null || value.valueType() == ConfigValueType.NULL) {
        return OptionalLong.empty();
      }
      if (value.valueType() == ConfigValueType.NUMBER) {
        BigDecimal number;
        try {
          number = new BigDecimal(String.valueOf(value.unwrapped()));
        } catch (NumberFormatException e) { // Infinity: too large for a double.
          throw new BadRequestException(400, wanted());
        }
        if (number.signum() >= 0 && number.compareTo(BigDecimal.valueOf(MAX_SECONDS)) <= 0) {
          try {
            return OptionalLong.of(number.longValueExact());
          } catch (ArithmeticException e) {
            throw new BadRequestException(400, wanted());
          }
        }
      }
      throw new BadRequestException(400, wanted());
    }

    private static String wanted() {
      return "seconds must be a whole number from 0 to " + MAX_SECONDS + ".";
    }
  }
}
