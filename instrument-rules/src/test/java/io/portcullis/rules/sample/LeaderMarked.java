package io.portcullis.rules.sample;

import io.portcullis.gate.LeaderOnly;

/** Annotations of every kind. */
@LeaderOnly(election = "writer")
public class LeaderMarked {
  /** Carries an annotation. */
  @LeaderOnly(election = "other")
  @interface Counting {}

  public String byType() {
    return "ran";
  }

  @LeaderOnly(election = "other")
  public String byMethod() {
    return "ran";
  }

  @Counting
  public String byMeta() {
    return "ran";
  }

  /** Annotated without an election. */
  public static class Plain {
    private int runs;

    @LeaderOnly
    public void silent() {
      runs++;
    }

    @LeaderOnly
    public String owed() {
      return "ran";
    }

    public int runs() {
      return runs;
    }
  }

  /** Annotated with an unknown election. */
  public static class Stray {
    @LeaderOnly(election = "others")
    public String run() {
      return "ran";
    }
  }
}
