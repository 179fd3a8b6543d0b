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

/** Resolves a call to the bodies that it may run: those of its type and of all subtypes. */
final class CallResolver {
  /** A method with a body, anywhere on the class path. */
  record Body(String className, String key) {}

  private record CallSite(String owner, String key, boolean special) {}

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final Predicate<OfflineClass> filter;
  private final Map<CallSite, Set<Body>> resolved = new HashMap<>();
  private final Map<Body, Optional<Body>> inherited = new HashMap<>();

  /**
   * Creates a resolver.
   *
   * @param filter selects the classes whose bodies are returned
   */
  CallResolver(ClassPath classPath, ClassPathHierarchy hierarchy, Predicate<OfflineClass> filter) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
    this.filter = filter;
  }

  Set<Body> bodies(MethodCall call) {
    return resolved.computeIfAbsent(
        new CallSite(call.owner(), call.key(), call.special()), this::resolve);
  }

  private Set<Body> resolve(CallSite site) {
    Stream<String> subtypes =
        site.special() || site.key().startsWith("<")
            ? Stream.empty()
            : hierarchy.subtypes(site.owner()).stream().map(OfflineClass::name);
    Set<Body> bodies = new LinkedHashSet<>();
    Stream.concat(Stream.of(site.owner()), subtypes)
        .forEach(type -> bodyOf(new Body(type, site.key())).ifPresent(bodies::add));
    return bodies;
  }

  /** Finds the body that a class declares or inherits from its nearest supertype. */
  private Optional<Body> bodyOf(Body called) {
    Optional<Body> body = inherited.get(called);
    if (body == null) {
      body =
          hierarchy.withSupertypes(called.className()).stream()
              .filter(type -> declares(type, called.key()))
              .map(type -> new Body(type, called.key()))
              .findFirst();
      inherited.put(called, body);
    }
    return body;
  }

  private boolean declares(String type, String key) {
    OfflineClass found = classPath.find(type);
    return found != null && filter.test(found) && has(found.shape(), key);
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
