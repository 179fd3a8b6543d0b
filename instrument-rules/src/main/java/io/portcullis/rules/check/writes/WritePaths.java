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
    /** A stream on an open file, usually standard output, writes nothing of its own. */
    private static final String OPEN_FILE = "(Ljava/io/FileDescriptor;)";

    private final ClassPath classPath;
    private final ClassPathHierarchy hierarchy;
    private final GatedMethods gates;
    private final CallResolver resolver;
    private final EntryPoints entryPoints;

    WritePathSearch(ClassPath classPath, ClassPathHierarchy hierarchy, GatedMethods gates) {
      this.classPath = classPath;
      this.hierarchy = hierarchy;
      this.gates = gates;
      this.resolver = new CallResolver(classPath, hierarchy, type -> true);
      this.entryPoints = new EntryPoints(classPath, hierarchy);
    }

    WritePaths run() {
      List<OwnMethod> methods = ownMethods();
      ReachabilityAnalysis reachability =
          new ReachabilityAnalysis(
              methods, new CallResolver(classPath, hierarchy, OfflineClass::own), gates);
      reachability.run(entryPoints);
      Set<OwnMethod> atStart = reachability.calledDuring(new StartupMethods(hierarchy)::include);
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
              ungated.add(ungated(method, call, api.get(), steps(method, reachability, atStart)));
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
      if (call.descriptor().contains(OPEN_FILE)) {
        return Optional.empty();
      }
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

    private List<PathStep> steps(
        OwnMethod method, ReachabilityAnalysis reachability, Set<OwnMethod> atStart) {
      return reachability.path(method).stream()
          .map(
              step ->
                  new PathStep(
                      step.type(),
                      step.shape(),
                      entryPoints.implementsLibraryMethod(step),
                      atStart.contains(step)))
          .toList();
    }

    private static UngatedWrite ungated(
        OwnMethod method, MethodCall call, String api, List<PathStep> path) {
      MethodShape called = new MethodShape(0, call.name(), call.descriptor(), List.of());
      return new UngatedWrite(
          method.toString(), method.at(call), call.owner() + "#" + called.signature(), api, path);
    }
  }

  /**
   * A method on the way to a write.
   *
   * @param callback whether it implements a method of a library, so that a framework may call it
   * @param atStart whether it may run while the application starts, also on a standby
   */
  public record PathStep(OfflineClass type, MethodShape method, boolean callback, boolean atStart) {
    @Override
    public String toString() {
      return type.name() + "#" + method.signature();
    }
  }

  /**
   * A call of a write API that a standby can reach.
   *
   * @param method the calling method
   * @param at source file and line
   * @param called the called method
   * @param api the name of the API
   * @param path the calls by which it is reached: an entry point first, the calling method last
   */
  public record UngatedWrite(
      String method, String at, String called, String api, List<PathStep> path) {
    public UngatedWrite {
      path = List.copyOf(path);
    }

    /** The entry point; empty if that is the calling method itself. */
    public String entryPoint() {
      return path.size() == 1 ? "" : path.get(0).toString();
    }

    @Override
    public String toString() {
      String from = entryPoint().isEmpty() ? "" : ", reached from " + entryPoint();
      return "%s (%s) calls %s [%s]%s".formatted(method, at, called, api, from);
    }
  }
}
