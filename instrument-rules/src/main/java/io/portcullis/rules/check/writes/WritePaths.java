package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import io.portcullis.rules.check.report.GatedMethods;
import io.portcullis.rules.check.writes.ReachabilityAnalysis.OwnMethod;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Calls of write APIs in an application's own classes.
 *
 * @param callsByApi number of such calls
 * @param covered number of calls of database APIs that only the gated JDBC driver covers
 * @param ungated calls that a standby can make because no rule gates them
 */
public record WritePaths(
    SortedMap<String, Integer> callsByApi, int covered, List<UngatedWrite> ungated) {
  public WritePaths {
    callsByApi = Collections.unmodifiableSortedMap(new TreeMap<>(callsByApi));
    ungated = List.copyOf(ungated);
  }

  /** Number of calls of all APIs. */
  public int calls() {
    return callsByApi.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Analyses a class path. */
  public static WritePaths of(
      ClassPath classPath, ClassPathHierarchy hierarchy, GatedMethods gates) {
    return new WritePathSearch(classPath, hierarchy, gates).run();
  }

  private static final class WritePathSearch {
    private final ClassPath classPath;
    private final ClassPathHierarchy hierarchy;
    private final GatedMethods gates;
    private final CallResolver resolver;

    WritePathSearch(ClassPath classPath, ClassPathHierarchy hierarchy, GatedMethods gates) {
      this.classPath = classPath;
      this.hierarchy = hierarchy;
      this.gates = gates;
      this.resolver = new CallResolver(classPath, hierarchy, type -> true);
    }

    WritePaths run() {
      List<OwnMethod> methods = ownMethods();
      ReachabilityAnalysis reachability =
          new ReachabilityAnalysis(
              methods, new CallResolver(classPath, hierarchy, OfflineClass::own), gates);
      reachability.run(new EntryPoints(classPath, hierarchy));
      SortedMap<String, Integer> calls = new TreeMap<>();
      int covered = 0;
      DriverCoverage driver = new DriverCoverage(classPath, this::isGatedThere);
      List<UngatedWrite> ungated = new ArrayList<>();
      for (OwnMethod method : methods) {
        for (MethodCall call : method.calls()) {
          Optional<String> api = api(call);
          if (api.isPresent()) {
            calls.merge(api.get(), 1, Integer::sum);
            if (!reachability.isOpen(method) || isGatedThere(call)) {
              continue;
            }
            if (driver.covers(api.get())) {
              covered++;
            } else {
              ungated.add(ungated(method, call, api.get(), reachability));
            }
          }
        }
      }
      return new WritePaths(calls, covered, ungated);
    }

    private List<OwnMethod> ownMethods() {
      List<OwnMethod> methods = new ArrayList<>();
      for (OfflineClass type : classPath.classes()) {
        if (type.own()) {
          for (MethodShape method : type.shape().methods()) {
            if (method.hasBody()) {
              methods.add(new OwnMethod(type, method));
            }
          }
        }
      }
      return methods;
    }

    private Optional<String> api(MethodCall call) {
      Set<String> types = hierarchy.withSupertypes(call.owner());
      Optional<String> api = WriteCatalogue.KNOWN.api(types, call.name());
      if (api.isPresent()) {
        return resolvesToOwnCode(call) ? Optional.empty() : api;
      }
      return WriteCatalogue.KNOWN.api(annotations(call));
    }

    /**
     * Whether the call resolves to application code only. It is then not a write itself: the calls
     * inside that code are analysed instead.
     */
    private boolean resolvesToOwnCode(MethodCall call) {
      ClassShape owner = classPath.read(call.owner());
      Set<CallResolver.Body> bodies = resolver.bodies(call);
      return owner != null
          && !Modifier.isInterface(owner.access())
          && !bodies.isEmpty()
          && bodies.stream().map(CallResolver.Body::className).allMatch(this::isOwn);
    }

    private boolean isOwn(String type) {
      OfflineClass found = classPath.find(type);
      return found != null && found.own();
    }

    private Set<String> annotations(MethodCall call) {
      OfflineClass owner = classPath.find(call.owner());
      return owner == null
          ? Set.of()
          : owner.shape().methods().stream()
              .filter(method -> call.key().equals(method.name() + method.descriptor()))
              .findFirst()
              .map(MethodShape::annotations)
              .orElse(Set.of());
    }

    /** Whether all bodies on the class path that the call may run are gated. */
    private boolean isGatedThere(MethodCall call) {
      Set<CallResolver.Body> bodies = resolver.bodies(call);
      return !bodies.isEmpty()
          && bodies.stream().allMatch(body -> gates.has(body.className(), body.key()));
    }

    private static UngatedWrite ungated(
        OwnMethod method, MethodCall call, String api, ReachabilityAnalysis reachability) {
      OwnMethod entryPoint = reachability.entryPoint(method);
      MethodShape called = new MethodShape(0, call.name(), call.descriptor(), List.of());
      return new UngatedWrite(
          method.toString(),
          method.at(call),
          call.owner() + "#" + called.signature(),
          api,
          entryPoint == method ? "" : entryPoint.toString());
    }
  }

  /**
   * A call of a write API that a standby can reach.
   *
   * @param method the calling method
   * @param at source file and line
   * @param called the called method
   * @param api the name of the API
   * @param entryPoint the entry point from which the calling method is reached; empty if that is
   *     the calling method itself
   */
  public record UngatedWrite(
      String method, String at, String called, String api, String entryPoint) {
    @Override
    public String toString() {
      String from = entryPoint.isEmpty() ? "" : ", reached from " + entryPoint;
      return "%s (%s) calls %s [%s]%s".formatted(method, at, called, api, from);
    }
  }
}
