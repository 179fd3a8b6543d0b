package io.portcullis.agent.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code init} for the backend, as lines of the election's section. */
final class BackendOptions {
  static final List<String> NAMES = List.of("quorum", "redis", "postgres", "kubernetes");

  private static final String LOCAL_MEMBERS = "a=127.0.0.1:7400,b=127.0.0.1:7401,c=127.0.0.1:7402";
  private static final String LOCAL_REDIS = "redis://localhost:6379";
  private static final String LOCAL_POSTGRES = "jdbc:postgresql://localhost/app";

  @Option(
      names = "--backend",
      paramLabel = "name",
      description = "quorum (default), redis, postgres or kubernetes.")
  private @Nullable String backend;

  @Option(
      names = {"--uri", "--url", "--members"},
      paramLabel = "address",
      description = {
        "Of Redis: a redis:// address; of Postgres: a JDBC URL; of a quorum: its members, as in",
        "a=10.0.0.7:7400,b=10.0.0.8:7400,c=10.0.0.9:7400. Default: on this machine."
      })
  private @Nullable String address;

  @Option(names = "--user", paramLabel = "name", description = "The role in Postgres.")
  private @Nullable String user;

  @Option(
      names = {"--password-file", "--secret-file"},
      paramLabel = "file",
      description = "File with the password of Redis or Postgres, or the quorum's secret.")
  private @Nullable String secretFile;

  /** Asks for what the command line does not name. */
  void ask(InitDialog dialog) {
    if (backend == null) {
      backend = dialog.ask("Backend (" + String.join(", ", NAMES) + ")", NAMES.get(0));
    }
    if (address == null && !defaultAddress().isEmpty()) {
      address = dialog.ask(addressQuestion(), defaultAddress());
    }
    if (secretFile == null && !isLocal() && !name().equals("kubernetes")) {
      String answer = dialog.ask("File with the password or secret (empty: none)", "");
      secretFile = answer.isEmpty() ? null : answer;
    }
  }

  private String addressQuestion() {
    return switch (name()) {
      case "redis" -> "Address of Redis";
      case "postgres" -> "JDBC URL of Postgres";
      default -> "Members of the quorum";
    };
  }

  String name() {
    return backend == null ? NAMES.get(0) : backend;
  }

  boolean isKnown() {
    return NAMES.contains(name());
  }

  private String defaultAddress() {
    return switch (name()) {
      case "redis" -> LOCAL_REDIS;
      case "postgres" -> LOCAL_POSTGRES;
      case "quorum" -> LOCAL_MEMBERS;
      default -> "";
    };
  }

  private String address() {
    return address == null ? defaultAddress() : address;
  }

  private boolean isLocal() {
    return address().equals(defaultAddress());
  }

  /** The lines of the section that belong to the backend. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("backend = " + name());
    switch (name()) {
      case "redis" -> {
        lines.add("redis {");
        lines.add("  uri = " + AgentConfWriter.quoted(address()));
        addFile(lines, "password-file");
        lines.add("}");
      }
      case "postgres" -> {
        lines.add("postgres {");
        lines.add("  url = " + AgentConfWriter.quoted(address()));
        if (user != null) {
          lines.add("  user = " + AgentConfWriter.quoted(user));
        }
        addFile(lines, "password-file");
        lines.add("}");
      }
      case "quorum" -> quorum(lines);
      default -> lines.add("# The Lease <service>-writer in the namespace of the pod.");
    }
    return lines;
  }

  private void quorum(List<String> lines) {
    List<String> members = List.of(address().split(",", -1));
    lines.add("quorum {");
    lines.add("  # This node. On the others: -Dportcullis.elections.writer.quorum.self=<member>");
    lines.add("  self = " + AgentConfWriter.quoted(id(members.get(0))));
    if (isLocal()) {
      lines.add(
          "  # All on this machine, for a trial. Elsewhere, write the addresses of the nodes");
      lines.add("  # and a secret-file: openssl rand -base64 32");
    }
    lines.add("  members {");
    for (String member : members) {
      lines.add(
          "    %s = %s"
              .formatted(
                  AgentConfWriter.quoted(id(member)),
                  AgentConfWriter.quoted(member.substring(member.indexOf('=') + 1).trim())));
    }
    lines.add("  }");
    addFile(lines, "secret-file");
    lines.add("  # Its votes: a folder of each node's own disk that survives restarts.");
    String votes = Path.of("portcullis-votes").toAbsolutePath().toString();
    lines.add("  data-dir = " + AgentConfWriter.quoted(votes));
    lines.add("}");
  }

  private static String id(String member) {
    return member.substring(0, Math.max(0, member.indexOf('='))).trim();
  }

  private void addFile(List<String> lines, String key) {
    if (secretFile != null) {
      lines.add("  " + key + " = " + AgentConfWriter.quoted(secretFile));
    }
  }
}
