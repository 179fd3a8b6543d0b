package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import io.portcullis.rules.check.report.GatedMethods;
import io.portcullis.rules.match.MethodShape;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the application methods that can be reached without passing a gate.
 *
 * <p>From every ungated entry point, calls are followed up to the first gate. Methods reached this
 * way are open. A method that is reached neither from an entry point nor from a gated method is
 * called in a way that this analysis does not see, so it counts as an entry point itself.
 */
final class ReachabilityAnalysis {
  private final Map<CallResolver.Body, OwnMethod> own = new LinkedHashMap<>();
  private final CallResolver resolver;
  private final GatedMethods gates;
  private final Map<OwnMethod, Set<OwnMethod>> callees = new HashMap<>();
  private final Map<OwnMethod, OwnMethod> callers = new HashMap<>();
  private final Set<OwnMethod> open = new LinkedHashSet<>();

  ReachabilityAnalysis(List<OwnMethod> methods, CallResolver resolver, GatedMethods gates) {
    this.resolver = resolver;
    this.gates = gates;
    methods.forEach(
        method -> own.put(new CallResolver.Body(method.type().name(), method.key()), method));
  }

  void run(EntryPoints entryPoints) {
    Set<OwnMethod> called = new HashSet<>();
    for (OwnMethod method : own.values()) {
      callees(method).stream().filter(callee -> callee != method).forEach(called::add);
    }
    follow(
        own.values().stream()
            .filter(method -> !called.contains(method) || entryPoints.include(method))
            .toList());
    Set<OwnMethod> guarded = reachableFromGated();
    follow(own.values().stream().filter(method -> !guarded.contains(method)).toList());
  }

  /** Whether a method can be reached without passing a gate. */
  boolean isOpen(OwnMethod method) {
    return open.contains(method);
  }

  boolean isGated(OwnMethod method) {
    return gates.has(method.type().name(), method.key());
  }

  /** The calls by which an open method is reached: its entry point first, itself last. */
  List<OwnMethod> path(OwnMethod method) {
    Deque<OwnMethod> path = new ArrayDeque<>();
    for (@Nullable OwnMethod each = method; each != null; each = callers.get(each)) {
      path.addFirst(each);
    }
    return List.copyOf(path);
  }

  /**
   * Methods that certain methods call while they run. Lambdas and method references that they
   * create do not count, since they usually run later.
   */
  Set<OwnMethod> calledDuring(Predicate<OwnMethod> start) {
    Set<OwnMethod> called = new HashSet<>();
    Deque<OwnMethod> waiting = new ArrayDeque<>();
    own.values().stream().filter(start).forEach(waiting::add);
    while (!waiting.isEmpty()) {
      OwnMethod method = waiting.remove();
      if (called.add(method)) {
        waiting.addAll(resolve(method, call -> !call.deferred()));
      }
    }
    return called;
  }

  private void follow(Collection<OwnMethod> from) {
    Deque<OwnMethod> waiting = new ArrayDeque<>();
    for (OwnMethod start : from) {
      if (!isGated(start) && open.add(start)) {
        waiting.add(start);
      }
    }
    while (!waiting.isEmpty()) {
      OwnMethod method = waiting.remove();
      for (OwnMethod callee : callees(method)) {
        if (!isGated(callee) && open.add(callee)) {
          callers.put(callee, method);
          waiting.add(callee);
        }
      }
    }
  }

  private Set<OwnMethod> reachableFromGated() {
    Set<OwnMethod> guarded = new HashSet<>();
    Deque<OwnMethod> waiting = new ArrayDeque<>();
    own.values().stream().filter(this::isGated).forEach(waiting::add);
    while (!waiting.isEmpty()) {
      OwnMethod method = waiting.remove();
      if (guarded.add(method)) {
        waiting.addAll(callees(method));
      }
    }
    return guarded;
  }

  private Set<OwnMethod> callees(OwnMethod method) {
    return callees.computeIfAbsent(method, key -> resolve(key, call -> true));
  }

  private Set<OwnMethod> resolve(OwnMethod method, Predicate<MethodCall> counts) {
    Set<OwnMethod> callees = new LinkedHashSet<>();
    for (MethodCall call : method.calls().stream().filter(counts).toList()) {
      for (CallResolver.Body body : resolver.bodies(call)) {
        OwnMethod callee = own.get(body);
        if (callee != null) {
          callees.add(callee);
        }
      }
    }
    return callees;
  }

  /** An application method with a body. Compared by object identity. */
  static final class OwnMethod {
    private final OfflineClass type;
    private final MethodShape shape;

    OwnMethod(OfflineClass type, MethodShape shape) {
      this.type = type;
      this.shape = shape;
    }

    OfflineClass type() {
      return type;
    }

    MethodShape shape() {
      return shape;
    }

    List<MethodCall> calls() {
      return type.calls(shape);
    }

    /** Method name and descriptor. */
    String key() {
      return shape.name() + shape.descriptor();
    }

    /** Source file and line of a call, as far as known. */
    String at(MethodCall call) {
      String source = type.source().isEmpty() ? "source unknown" : type.source();
      return call.line() == 0 ? source : source + ":" + call.line();
    }

    @Override
    public String toString() {
      return type.name() + "#" + shape.signature();
    }
  }
}
