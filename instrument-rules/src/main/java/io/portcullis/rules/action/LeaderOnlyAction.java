package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.LeaderOnlyMark;
import io.portcullis.rules.match.MethodShape;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Acts like {@link SkipOrThrowAction} on methods that the application has marked for the rule's
 * election. A mark that names an unknown election applies to every such rule and can be gated by
 * none: the result is a weave error instead of a method that stays ungated.
 */
final class LeaderOnlyAction implements Action {
  static final String NAME = "leader-only";

  private final String election;
  private final Set<String> elections;
  private final SkipOrThrowAction action;

  private LeaderOnlyAction(String election, Set<String> elections, SkipOrThrowAction action) {
    this.election = election;
    this.elections = elections;
    this.action = action;
  }

  static LeaderOnlyAction of(ActionOptions options) {
    return new LeaderOnlyAction(
        options.election(), options.elections(), SkipOrThrowAction.of(options));
  }

  @Override
  public String text() {
    return NAME;
  }

  @Override
  public boolean mayThrow(MethodShape method) {
    return action.mayThrow(method);
  }

  @Override
  public Refusal refusal() {
    return action.refusal();
  }

  @Override
  public boolean means(ClassShape declaring, MethodShape method, ClassFiles classFiles) {
    String named = electionOf(declaring, method, classFiles);
    return !elections.contains(named) || named.equals(election);
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    action.checkForConstructors();
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    String named = electionOf(declaring, method, classFiles);
    if (!elections.contains(named)) {
      throw new CannotGateException(
          (named.isEmpty()
                  ? "it is marked with @LeaderOnly without an election, and there are several: "
                  : "it is marked with @LeaderOnly for election '%s', and there are only: "
                      .formatted(named))
              + String.join(", ", elections));
    }
    return action.form(declaring, method, classFiles);
  }

  /** The named election. If none is named: the only one, or empty if there are several. */
  private String electionOf(ClassShape declaring, MethodShape method, ClassFiles classFiles) {
    String named = named(method.annotations(), classFiles, new HashSet<>());
    if (named == null) {
      named = named(declaring.annotations(), classFiles, new HashSet<>());
    }
    boolean only = elections.size() == 1;
    return named == null || named.isEmpty() ? only ? election : "" : named;
  }

  /**
   * The election that a mark names; empty for a mark that names none; null if there is no mark
   * among these annotations and their meta-annotations.
   */
  private static @Nullable String named(
      Set<String> annotations, ClassFiles classFiles, Set<String> seen) {
    for (String annotation : annotations) {
      String election = LeaderOnlyMark.election(annotation);
      if (election != null) {
        return election;
      }
    }
    if (annotations.contains(LeaderOnlyMark.TYPE)) {
      return "";
    }
    for (String annotation : annotations) {
      if (seen.add(annotation)) {
        String election = named(metaOf(annotation, classFiles), classFiles, seen);
        if (election != null) {
          return election;
        }
      }
    }
    return null;
  }

  private static Set<String> metaOf(String annotation, ClassFiles classFiles) {
    try {
      ClassShape type = classFiles.read(annotation);
      return type == null ? Set.of() : type.annotations();
    } catch (IOException | IllegalArgumentException e) {
      return Set.of(); // An annotation type that can't be read counts as unmarked.
    }
  }
}
