package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import io.portcullis.rules.check.report.GatedMethods;
import io.portcullis.rules.check.report.RuleCheckRun;
import io.portcullis.rules.check.writes.ReachabilityAnalysis.OwnMethod;
import io.portcullis.rules.match.MethodShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds gated methods that the application's own start-up code calls. A standby runs that code too,
 * is refused there, and may not start. Calls are followed up to the first gate. Lambdas are not
 * followed, since most of them run later.
 */
public final class StartupCalls {
  private final RuleCheckRun rules;
  private final CallResolver resolver;
  private final Map<CallResolver.Body, OwnMethod> own = new HashMap<>();
  private final Set<CallResolver.Body> reported = new HashSet<>();
  private final List<String> found = new ArrayList<>();

  private StartupCalls(ClassPath classPath, ClassPathHierarchy hierarchy, RuleCheckRun rules) {
    this.rules = rules;
    this.resolver = new CallResolver(classPath, hierarchy, type -> true);
    for (OfflineClass type : classPath.classes()) {
      if (type.own()) {
        for (MethodShape shape : type.shape().methods()) {
          OwnMethod method = new OwnMethod(type, shape);
          own.put(bodyOf(method), method);
        }
      }
    }
  }

  /** Returns a sentence for each gated method; of several calls of it, one is named. */
  public static List<String> of(
      ClassPath classPath, ClassPathHierarchy hierarchy, RuleCheckRun rules) {
    StartupCalls search = new StartupCalls(classPath, hierarchy, rules);
    search.own.values().stream()
        .filter(new StartupMethods(hierarchy)::include)
        .sorted(Comparator.comparing(OwnMethod::toString))
        .forEach(search::follow);
    return search.found;
  }

  private void follow(OwnMethod start) {
    Set<OwnMethod> seen = new HashSet<>();
    Deque<OwnMethod> waiting = new ArrayDeque<>();
    if (!isIn(rules.gates(), bodyOf(start))) {
      waiting.add(start);
    }
    while (!waiting.isEmpty()) {
      OwnMethod method = waiting.remove();
      if (seen.add(method)) {
        for (MethodCall call : method.calls()) {
          if (!call.deferred()) {
            follow(start, method, call, waiting);
          }
        }
      }
    }
  }

  private void follow(
      OwnMethod start, OwnMethod caller, MethodCall call, Deque<OwnMethod> waiting) {
    for (CallResolver.Body body : resolver.bodies(call)) {
      OwnMethod callee = own.get(body);
      if (isIn(rules.refusing(), body) && !isQuery(call)) {
        if (reported.add(body)) {
          found.add(sentence(start, caller, call, body));
        }
      } else if (callee != null && !isIn(rules.gates(), body)) {
        waiting.add(callee);
      }
    }
  }

  private static CallResolver.Body bodyOf(OwnMethod method) {
    return new CallResolver.Body(method.type().name(), method.key());
  }

  private static boolean isIn(GatedMethods gates, CallResolver.Body body) {
    return gates.has(body.className(), body.key());
  }

  /** The SQL of a JDBC query decides at run time, and most queries only read. */
  private static boolean isQuery(MethodCall call) {
    return call.name().equals("executeQuery");
  }

  private static String sentence(
      OwnMethod start, OwnMethod caller, MethodCall call, CallResolver.Body body) {
    MethodShape called = new MethodShape(0, call.name(), call.descriptor(), List.of());
    return "%s#%s runs at start, where a standby is refused: %s (%s) calls it%s"
        .formatted(
            body.className(),
            called.signature(),
            caller,
            caller.at(call),
            caller == start ? "" : ", reached from " + start);
  }
}
