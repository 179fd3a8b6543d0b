package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which bodies a call can come to: those of the type it names, and of all that lie below it. */
final class CallResolver {
  /** A method with a body, anywhere on the class path. */
  record Body(String className, String key) {}

  private record CallSite(String owner, String key, boolean special) {}

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final Predicate<OfflineClass> wanted;
  private final Map<CallSite, Set<Body>> known = new HashMap<>();
  private final Map<Body, Optional<Body>> inherited = new HashMap<>();

  /**
   * Makes one.
   *
   * @param wanted the classes whose bodies are asked for
   */
  CallResolver(ClassPath classPath, ClassPathHierarchy hierarchy, Predicate<OfflineClass> wanted) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
    this.wanted = wanted;
  }

  Set<Body> bodies(MethodCall call) {
    return known.computeIfAbsent(
        new CallSite(call.owner(), call.key(), call.special()), this::resolved);
  }

  private Set<Body> resolved(CallSite site) {
    Stream<String> below =
        site.special() || site.key().startsWith("<")
            ? Stream.empty()
            : hierarchy.subtypes(site.owner()).stream().map(OfflineClass::name);
    Set<Body> bodies = new LinkedHashSet<>();
    Stream.concat(Stream.of(site.owner()), below)
        .forEach(type -> bodyOf(new Body(type, site.key())).ifPresent(bodies::add));
    return bodies;
  }

  /** The body that a class has by itself or from the nearest above it. */
  private Optional<Body> bodyOf(Body asked) {
    Optional<Body> before = inherited.get(asked);
    if (before == null) {
      before =
          hierarchy.withSupertypes(asked.className()).stream()
              .filter(type -> declares(type, asked.key()))
              .map(type -> new Body(type, asked.key()))
              .findFirst();
      inherited.put(asked, before);
    }
    return before;
  }

  private boolean declares(String type, String key) {
    OfflineClass found = classPath.find(type);
    return found != null && wanted.test(found) && has(found.shape(), key);
  }

  private static boolean has(ClassShape shape, String key) {
    for (MethodShape method : shape.methods()) {
      if (key.startsWith(method.name())
          && method.hasBody()
          && key.equals(method.name() + method.descriptor())) {
        return true;
      }
    }
    return false;
  }
}
