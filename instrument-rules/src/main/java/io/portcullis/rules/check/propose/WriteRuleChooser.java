package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.writes.WritePaths.PathStep;
import io.portcullis.rules.check.writes.WritePaths.UngatedWrite;
import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the method to gate for a write: on the way to it, the public method nearest to the entry
 * point.
 *
 * <p>A method that implements one of a library, such as a request handler, is chosen only if no
 * other is on the way, because it may also serve reads. Of methods that run at start the one
 * nearest to the write is chosen, since refusing a whole start would keep a standby from starting.
 * Tasks ({@code run}, {@code call}) are never chosen: a thread that ends on a standby would be
 * missing after a takeover. Timer tasks are, since they run again.
 */
final class WriteRuleChooser {
  private static final String TIMER_TASK = "java.util.TimerTask";
  private static final Set<String> TASKS = Set.of("run()", "call()");

  private final ClassPathHierarchy hierarchy;

  WriteRuleChooser(ClassPathHierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  /** Returns null if no method on the way to the write can be gated. */
  @Nullable PathStep choose(UngatedWrite write) {
    List<PathStep> path = write.path().stream().filter(this::isCandidate).toList();
    List<PathStep> running = path.stream().filter(step -> !step.atStart()).toList();
    List<PathStep> ownCalls = running.stream().filter(step -> !step.callback()).toList();
    PathStep chosen = first(ownCalls, WriteRuleChooser::isPublic);
    if (chosen == null) {
      chosen = first(ownCalls, step -> true);
    }
    if (chosen == null) {
      chosen = last(running, step -> true);
    }
    if (chosen == null) {
      path = afterConstructors(write.path()).stream().filter(this::isCandidate).toList();
      chosen = last(path, step -> !step.callback() && isPublic(step));
    }
    return chosen == null ? last(path, step -> !step.callback()) : chosen;
  }

  /** Whether refused calls of the method should be skipped: a timer ends at an exception. */
  boolean isTimerTask(PathStep step) {
    return TASKS.contains(step.method().signature())
        && hierarchy.withSupertypes(step.type().name()).contains(TIMER_TASK);
  }

  /** What creates an object at start is not chosen: without it a standby would not start. */
  private static List<PathStep> afterConstructors(List<PathStep> path) {
    int from = 0;
    for (int i = 0; i < path.size(); i++) {
      from = path.get(i).method().name().startsWith("<") ? i + 1 : from;
    }
    return path.subList(from, path.size());
  }

  private boolean isCandidate(PathStep step) {
    MethodShape method = step.method();
    boolean task = step.callback() && TASKS.contains(method.signature());
    return !method.name().startsWith("<")
        && !method.isSynthetic()
        && !method.signature().equals("main(java.lang.String[])")
        && (!task || isTimerTask(step));
  }

  private static boolean isPublic(PathStep step) {
    return Modifier.isPublic(step.method().access());
  }

  private static @Nullable PathStep first(List<PathStep> path, Predicate<PathStep> wanted) {
    return path.stream().filter(wanted).findFirst().orElse(null);
  }

  private static @Nullable PathStep last(List<PathStep> path, Predicate<PathStep> wanted) {
    return path.stream().filter(wanted).reduce((first, second) -> second).orElse(null);
  }
}
