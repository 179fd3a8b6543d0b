package io.portcullis.rules.plan;

import io.portcullis.rules.action.Action;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.TypeLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rule makes of one class, by class files alone. The weaver goes by it, and so does a check
 * without the application, so that the two can't come to different ends.
 *
 * @param meaning what the rule means of the class
 * @param gates those that are to be gated, each in its form
 * @param obstacles those that the rule means and that can't be gated, though they should be
 */
public record ClassPlan(MatchResult meaning, List<Gate> gates, List<Obstacle> obstacles) {
  /** One method to be gated. */
  public record Gate(MethodShape method, WeaveSpec form) {}

  /** One method that can't be. */
  public record Obstacle(MethodShape method, CannotGateException problem) {}

  public ClassPlan {
    gates = List.copyOf(gates);
    obstacles = List.copyOf(obstacles);
  }

  /**
   * Makes the plan.
   *
   * @param types what the class descends from
   * @param classFiles what its loader finds
   */
  public static ClassPlan of(Rule rule, ClassShape shape, TypeLookup types, ClassFiles classFiles) {
    MatchResult meaning = rule.match().meaning(shape, types);
    Action action = rule.action();
    List<Gate> gates = new ArrayList<>();
    List<Obstacle> obstacles = new ArrayList<>();
    for (MethodShape method : meaning.methods()) {
      try {
        if (method.isNative()) {
          refuseIfNamed(rule);
        } else if (method.hasBody() && action.means(shape, method, classFiles)) {
          gates.add(new Gate(method, action.form(shape, method, classFiles)));
        }
      } catch (CannotGateException e) {
        obstacles.add(new Obstacle(method, e));
      }
    }
    return new ClassPlan(meaning, gates, obstacles);
  }

  /**
   * A native method that a rule in force names is a weave error, since it would run ungated. One
   * that a wildcard happens to mean is not: the rule's hint names it.
   */
  private static void refuseIfNamed(Rule rule) throws CannotGateException {
    if (!rule.observe() && rule.match().namesItsMethod()) {
      throw new CannotGateException(
          "it is native and can't be gated; name the methods that call it instead");
    }
  }

  /** Whether the rule means a body, be it one that can't be gated. */
  public boolean meansBodies() {
    return !gates.isEmpty() || obstacles.stream().anyMatch(obstacle -> obstacle.method().hasBody());
  }

  /** Why nothing is gated, where nothing is; what else is amiss, where something is. */
  public String hint() {
    return meaning.withBody().isEmpty() || meansBodies()
        ? meaning.hint()
        : "what the class has of it belongs to another election";
  }
}
