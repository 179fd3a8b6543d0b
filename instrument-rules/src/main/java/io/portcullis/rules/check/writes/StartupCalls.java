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
  private static final Set<String> ANNOTATIONS =
      Set.of(
          "jakarta.annotation.PostConstruct",
          "javax.annotation.PostConstruct",
          "io.quarkus.runtime.Startup",
          "org.osgi.service.component.annotations.Activate");

  /** Methods that frameworks call when the application starts, by the type that declares them. */
  private static final Map<String, String> CALLBACKS =
      Map.of(
          "org.osgi.framework.BundleActivator", "start",
          "org.springframework.beans.factory.InitializingBean", "afterPropertiesSet",
          "org.springframework.boot.ApplicationRunner", "run",
          "org.springframework.boot.CommandLineRunner", "run",
          "org.springframework.context.Lifecycle", "start",
          "jakarta.servlet.ServletContainerInitializer", "onStartup",
          "javax.servlet.ServletContainerInitializer", "onStartup",
          "jakarta.servlet.ServletContextListener", "contextInitialized",
          "javax.servlet.ServletContextListener", "contextInitialized");

  /** Events that are sent when the application starts; a method that takes one runs then. */
  private static final Set<String> EVENTS =
      Set.of(
          "io.micronaut.context.event.StartupEvent",
          "io.micronaut.runtime.server.event.ServerStartupEvent",
          "io.quarkus.runtime.StartupEvent",
          "jakarta.enterprise.event.Startup",
          "org.springframework.boot.context.event.ApplicationReadyEvent",
          "org.springframework.boot.context.event.ApplicationStartedEvent",
          "org.springframework.context.event.ContextRefreshedEvent",
          "org.springframework.context.event.ContextStartedEvent");

  private final ClassPathHierarchy hierarchy;
  private final RuleCheckRun rules;
  private final CallResolver resolver;
  private final Map<CallResolver.Body, OwnMethod> own = new HashMap<>();
  private final Set<CallResolver.Body> reported = new HashSet<>();
  private final List<String> found = new ArrayList<>();

  private StartupCalls(ClassPath classPath, ClassPathHierarchy hierarchy, RuleCheckRun rules) {
    this.hierarchy = hierarchy;
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
        .filter(search::runsAtStart)
        .sorted(Comparator.comparing(OwnMethod::toString))
        .forEach(search::follow);
    return search.found;
  }

  private boolean runsAtStart(OwnMethod method) {
    MethodShape shape = method.shape();
    return shape.name().equals("<clinit>")
        || shape.signature().equals("main(java.lang.String[])")
        || shape.annotations().stream().anyMatch(ANNOTATIONS::contains)
        || shape.parameterTypes().stream().anyMatch(EVENTS::contains)
        || isCallback(method);
  }

  private boolean isCallback(OwnMethod method) {
    String name = method.shape().name();
    return CALLBACKS.containsValue(name)
        && hierarchy.withSupertypes(method.type().name()).stream()
            .anyMatch(type -> name.equals(CALLBACKS.get(type)));
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
          if (!call.handle()) {
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
