package io.portcullis.agent.http;

import io.portcullis.agent.node.AuditLog;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.OrderOutcomeText;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Carries out what an operator orders. An order to an election is answered as soon as it is given
 * (202): what comes of it is seen in {@code /api/status}. A reload is answered when it is done.
 * Giving an order twice does what giving it once does.
 */
final class AdminEndpoints {
  static final Duration DRAIN = Duration.ofSeconds(30);

  private final List<NodeElection> elections;
  private final Supplier<ReloadOutcome> reload;

  AdminEndpoints(List<NodeElection> elections, Supplier<ReloadOutcome> reload) {
    this.elections = elections;
    this.reload = reload;
  }

  /** Whether there is an order at this path. */
  static boolean has(String path) {
    return switch (path) {
      case "/api/drain", "/api/resume", "/api/step-down", "/api/reload" -> true;
      default -> false;
    };
  }

  /** Carries out the order at this path. */
  HttpResponse take(HttpRequest request) {
    try {
      AdminRequestBody body = AdminRequestBody.read(request.body());
      return request.path().equals("/api/reload")
          ? reload(body, request)
          : order(election(body), body, request);
    } catch (BadRequestException e) {
      return e.reply();
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

  private static HttpResponse order(
      NodeElection election, AdminRequestBody body, HttpRequest request)
      throws BadRequestException {
    if (election.takesNoOrders().isPresent()) {
      return HttpResponse.error(409, election.takesNoOrders().get());
    }
    String what = request.path().substring("/api/".length());
    if (body.to().isPresent() && !what.equals("step-down")) {
      throw new BadRequestException(400, "to belongs to step-down: a hand-over to a node by name.");
    }
    Duration atMost = Duration.ofSeconds(body.seconds().orElse(DRAIN.toSeconds()));
    RoleName role = election.view().role();
    String next = OrderOutcomeText.of(what, role);
    switch (what) {
      case "drain" -> election.drain(atMost);
      case "resume" -> election.resume();
      case "step-down" -> handOver(election, body, request);
      default -> throw new IllegalStateException("no order " + what);
    }
    AuditLog.given(election, what, way(request), role);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("order", what);
    answer.put("election", election.name());
    answer.put("role", role.name());
    if (what.equals("drain")) {
      answer.put("seconds", atMost.toSeconds());
    }
    answer.put("next", next);
    return HttpResponse.json(202, StatusJson.render(answer));
  }

  /** Whoever can't follow is refused with the reason, and the leadership kept. */
  private static void handOver(NodeElection election, AdminRequestBody body, HttpRequest request)
      throws BadRequestException {
    try {
      election.stepDown(body.to());
    } catch (IllegalStateException e) {
      AuditLog.refused(election, "step-down", way(request), e);
      throw new BadRequestException(409, String.valueOf(e.getMessage()));
    }
  }

  private static String way(HttpRequest request) {
    return "http from=" + request.from();
  }

  private HttpResponse reload(AdminRequestBody body, HttpRequest request)
      throws BadRequestException {
    if (body.election().isPresent() || body.seconds().isPresent() || body.to().isPresent()) {
      throw new BadRequestException(400, "A reload is for the whole node; leave the body empty.");
    }
    AuditLog.reload(way(request));
    ReloadOutcome outcome = reload.get();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("order", "reload");
    answer.put("inForce", outcome.result() == ReloadOutcome.Result.IN_FORCE);
    answer.put("outcome", outcome.words());
    answer.put("problems", outcome.problems());
    return HttpResponse.json(
        switch (outcome.result()) {
          case IN_FORCE -> 200;
          case INVALID -> 422;
          case NOT_NOW, NEEDS_ORDER -> 409;
        },
        StatusJson.render(answer));
  }
}
