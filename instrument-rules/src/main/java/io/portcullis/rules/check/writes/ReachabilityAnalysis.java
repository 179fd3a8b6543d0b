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
import org.jspecify.annotations.Nullable;

/**
 * Which of the application's methods can be come to without passing a gate.
 *
 * <p>From every way in that is not gated, calls are followed up to the first gate. What is come to
 * like this is open. A method that nobody comes to from anywhere, neither from a way in nor from a
 * gate, is called by means that can't be seen, so it is a way in itself.
 */
final class ReachabilityAnalysis {
  private final Map<CallResolver.Body, OwnMethod> own = new LinkedHashMap<>();
  private final CallResolver dispatch;
  private final GatedMethods gates;
  private final Map<OwnMethod, Set<OwnMethod>> callees = new HashMap<>();
  private final Map<OwnMethod, OwnMethod> cameFrom = new HashMap<>();
  private final Set<OwnMethod> open = new LinkedHashSet<>();

  ReachabilityAnalysis(List<OwnMethod> methods, CallResolver dispatch, GatedMethods gates) {
    this.dispatch = dispatch;
    this.gates = gates;
    methods.forEach(
        method -> own.put(new CallResolver.Body(method.type().name(), method.key()), method));
  }

  /** Follows all calls. */
  void explore(EntryPoints waysIn) {
    Set<OwnMethod> called = new HashSet<>();
    for (OwnMethod method : own.values()) {
      callees(method).stream().filter(callee -> callee != method).forEach(called::add);
    }
    follow(
        own.values().stream()
            .filter(method -> !called.contains(method) || waysIn.include(method))
            .toList());
    Set<OwnMethod> guarded = behindGates();
    follow(own.values().stream().filter(method -> !guarded.contains(method)).toList());
  }

  /** Whether a method can be come to past all gates. */
  boolean isOpen(OwnMethod method) {
    return open.contains(method);
  }

  boolean isGated(OwnMethod method) {
    return gates.has(method.type().name(), method.key());
  }

  /** The way in from which an open method is come to. */
  OwnMethod wayIn(OwnMethod method) {
    OwnMethod at = method;
    for (@Nullable OwnMethod before = cameFrom.get(at); before != null; before = cameFrom.get(at)) {
      at = before;
    }
    return at;
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
          cameFrom.put(callee, method);
          waiting.add(callee);
        }
      }
    }
  }

  private Set<OwnMethod> behindGates() {
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
    return callees.computeIfAbsent(method, this::resolved);
  }

  private Set<OwnMethod> resolved(OwnMethod method) {
    Set<OwnMethod> callees = new LinkedHashSet<>();
    for (MethodCall call : method.calls()) {
      for (CallResolver.Body body : dispatch.bodies(call)) {
        OwnMethod callee = own.get(body);
        if (callee != null) {
          callees.add(callee);
        }
      }
    }
    return callees;
  }

  /**
   * A method of the application's own with a body. Two are the same only if they are one object.
   */
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

    /** Name and descriptor. */
    String key() {
      return shape.name() + shape.descriptor();
    }

    /** Where in the source, as far as it is known. */
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
