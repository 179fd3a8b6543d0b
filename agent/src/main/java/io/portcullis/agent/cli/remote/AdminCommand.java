package io.portcullis.agent.cli.remote;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** What a node can be told to do. */
public enum AdminCommand {
  /** Hands over in good order, and stays out. */
  DRAIN(
      "drain",
      Duration.ofSeconds(15),
      "Hands a node's leadership over and keeps it out.",
      "New calls are refused at once, those in flight may end; then the lease is given back. The",
      "node stays out until resume."),

  /** Lets a drained node take part again. */
  RESUME("resume", Duration.ofSeconds(15), "Lets a drained node take part again."),

  /** Hands over without staying out for good. */
  STEP_DOWN(
      "step-down",
      Duration.ofSeconds(60),
      "Makes a leader hand over.",
      "It stays out until another leads, or two leases have passed."),

  /** Reads the configuration anew. */
  RELOAD(
      "reload",
      Duration.ofSeconds(60),
      "Makes a node read its configuration again and put its rules in force, all or none.",
      "What else has changed waits for the next start, and is named.");

  private final String word;
  private final Duration patience;
  private final String description;

  AdminCommand(String word, Duration patience, String... description) {
    this.word = word;
    this.patience = patience;
    this.description = String.join("%n", description);
  }

  /** The word on the command line. */
  public String word() {
    return word;
  }

  /** The path that takes it. */
  String path() {
    return "/api/" + word;
  }

  /** How long it may take, besides the time that it is given. */
  Duration patience() {
    return patience;
  }

  /** As picocli takes it: lines with its marks between. */
  String description() {
    return description;
  }

  /** What can be said with it; each is named as the field of the body that it becomes. */
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
                  .description("How long calls in flight may take to end, 30 unless told.")
                  .build());
      case STEP_DOWN ->
          List.of(
              election,
              OptionSpec.builder("--to")
                  .paramLabel("member")
                  .type(String.class)
                  .description(
                      "The member of the quorum to hand over to; refused if it could not lead now.")
                  .build());
    };
  }

  /** Whether a node with this role has done as it was told. */
  boolean isDone(String role) {
    return switch (this) {
      case DRAIN -> role.equals("DRAINED");
      case RESUME -> !role.equals("DRAINED");
      case STEP_DOWN -> !role.equals("LEADER");
      case RELOAD -> true; // Its answer comes when it is done.
    };
  }
}
