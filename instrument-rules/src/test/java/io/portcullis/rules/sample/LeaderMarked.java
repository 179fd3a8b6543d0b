package io.portcullis.rules.sample;

import io.portcullis.gate.LeaderOnly;

/** Marks of every kind. */
@LeaderOnly(election = "writer")
public class LeaderMarked {
  /** Carries a mark. */
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

  /** Marked for whatever election there is. */
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

  /** Marked for an election that there is not. */
  public static class Stray {
    @LeaderOnly(election = "others")
    public String run() {
      return "ran";
    }
  }
}
