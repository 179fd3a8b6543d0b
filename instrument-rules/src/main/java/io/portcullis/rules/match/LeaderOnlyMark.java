package io.portcullis.rules.match;

import org.jspecify.annotations.Nullable;

/**
 * Encodes the {@code @LeaderOnly} annotation, which marks methods that only the leader may run. It
 * is the only annotation of which more than the name is read: the election it names is added to the
 * annotations of the class or method, in a form that can't be a name.
 */
public final class LeaderOnlyMark {
  /** The annotation's binary name. */
  public static final String TYPE = "io.portcullis.gate.LeaderOnly";

  private static final String ELECTION = "election";
  private static final String START = TYPE + "(";

  private LeaderOnlyMark() {}

  /** Whether this element of an annotation names the election. */
  public static boolean isElection(String annotation, String element) {
    return element.equals(ELECTION) && annotation.equals(TYPE);
  }

  /** Returns the entry among the annotations for a mark with this election. */
  public static String of(String election) {
    return START + election + ")";
  }

  /** Returns the election of a mark; null if the annotation is not a mark. */
  public static @Nullable String election(String annotation) {
    return annotation.startsWith(START)
        ? annotation.substring(START.length(), annotation.length() - 1)
        : null;
  }
}
