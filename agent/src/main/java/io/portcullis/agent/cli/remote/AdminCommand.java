package io.portcullis.agent.cli.remote;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** Admin commands that can be sent to a node. */
public enum AdminCommand {
  /** Hands the leadership over and keeps the node out until resume. */
  DRAIN(
      "drain",
      Duration.ofSeconds(15),
      "Hands a node's leadership over and keeps it out.",
      "New calls are refused at once. When calls in flight have ended, the lease is released. The",
      "node stays out until resume."),

  /** Lets a drained node participate again. */
  RESUME("resume", Duration.ofSeconds(15), "Lets a drained node participate again."),

  /** Hands the leadership over; the node stays out for a limited time. */
  STEP_DOWN(
      "step-down",
      Duration.ofSeconds(60),
      "Makes a leader hand over.",
      "It stays out until another leads, or two leases have passed."),

  /** Reloads the configuration. */
  RELOAD(
      "reload",
      Duration.ofSeconds(60),
      "Makes a node reload its configuration and apply its rules, all or none.",
      "Other changes are listed, and take effect at the next start.");

  private final String word;
  private final Duration timeout;
  private final String description;

  AdminCommand(String word, Duration timeout, String... description) {
    this.word = word;
    this.timeout = timeout;
    this.description = String.join("%n", description);
  }

  public String word() {
    return word;
  }

  /** The path of the HTTP endpoint. */
  String path() {
    return "/api/" + word;
  }

  /** Time limit, in addition to the command's {@code seconds}. */
  Duration timeout() {
    return timeout;
  }

  /** The description for picocli, with {@code %n} between lines. */
  String description() {
    return description;
  }

  /** Options of the command; each becomes the field of the request body with the same name. */
  List<OptionSpec> options() {
    OptionSpec election =
        OptionSpec.builder("--election")
            .paramLabel("name")
            .type(String.class)
            .description("Which election; may be left out if the node has only one.")
            .build();
    return switch (this) {
      case RELOAD -> List.of();
      case RESUME -> List.of(election);
      case DRAIN ->
          List.of(
              election,
              OptionSpec.builder("--seconds")
                  .paramLabel("n")
                  .type(Integer.class)
                  .defaultValue("30")
                  .description("How long calls in flight may take to end; default 30.")
                  .build());
      case STEP_DOWN ->
          List.of(
              election,
              OptionSpec.builder("--to")
                  .paramLabel("member")
                  .type(String.class)
                  .description(
                      "The quorum member to hand over to; refused if it can't take over now.")
                  .build());
    };
  }

  /** Whether a leader that executes the command hands over to another node. */
  boolean handsOver() {
    return this == DRAIN || this == STEP_DOWN;
  }

  /** Whether this role shows that the node has executed the command. */
  boolean isDone(String role) {
    return switch (this) {
      case DRAIN -> role.equals("DRAINED");
      case RESUME -> !role.equals("DRAINED");
      case STEP_DOWN -> !role.equals("LEADER");
      case RELOAD -> true; // The response is sent after the reload.
    };
  }
}
