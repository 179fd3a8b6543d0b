package io.portcullis.rules.plan;

import io.portcullis.rules.action.Action;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * Plan of what a rule gates in one class, made from class files alone. The weaver and the offline
 * check both use it, so their results can't differ.
 *
 * @param meaning what the rule matches in the class
 * @param gates the methods to gate, each in its form
 * @param obstacles the methods that the rule matches and that can't be gated, though they should be
 */
public record ClassPlan(MatchResult meaning, List<PlannedGate> gates, List<Obstacle> obstacles) {
  public record PlannedGate(MethodShape method, WeaveSpec form) {}

  public record Obstacle(MethodShape method, CannotGateException problem) {}

  public ClassPlan {
    gates = List.copyOf(gates);
    obstacles = List.copyOf(obstacles);
  }

  /**
   * Makes the plan.
   *
   * @param types look-up of the class's supertypes
   * @param classFiles the class files that its loader finds
   */
  public static ClassPlan of(Rule rule, ClassShape shape, TypeLookup types, ClassFiles classFiles) {
    MatchResult meaning = rule.match().meaning(shape, types);
    Action action = rule.action();
    List<PlannedGate> gates = new ArrayList<>();
    List<Obstacle> obstacles = new ArrayList<>();
    for (MethodShape method : meaning.methods()) {
      try {
        if (method.isNative()) {
          refuseIfNamed(rule);
        } else if (method.hasBody() && action.means(shape, method, classFiles)) {
          gates.add(new PlannedGate(method, action.form(shape, method, classFiles)));
        }
      } catch (CannotGateException e) {
        obstacles.add(new Obstacle(method, e));
      }
    }
    return new ClassPlan(meaning, gates, obstacles);
  }

  /**
   * A native method that a rule in force names is a weave error, because it would run ungated. A
   * native method that a wildcard happens to match is not: the rule's hint names it.
   */
  private static void refuseIfNamed(Rule rule) throws CannotGateException {
    if (!rule.observe() && rule.match().namesItsMethod()) {
      throw new CannotGateException(
          "it is native and can't be gated; name the methods that call it instead");
    }
  }

  /** Whether the rule matches a method with a body, including one that can't be gated. */
  public boolean meansBodies() {
    return !gates.isEmpty() || obstacles.stream().anyMatch(obstacle -> obstacle.method().hasBody());
  }

  /** Why nothing is gated or, if something is, other problems; empty if there are none. */
  public String hint() {
    return meaning.withBody().isEmpty() || meansBodies()
        ? meaning.hint()
        : "the matching methods of the class are marked for another election";
  }
}
