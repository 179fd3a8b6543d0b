package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.writes.ReachabilityAnalysis.OwnMethod;
import io.portcullis.rules.match.MethodShape;
import java.util.Map;
import java.util.Set;

/** Decides which application methods run while the application starts, so on a standby too. */
final class StartupMethods {
  private static final Set<String> ANNOTATIONS =
      Set.of(
          "jakarta.annotation.PostConstruct",
          "javax.annotation.PostConstruct",
          "io.quarkus.runtime.Startup",
          "org.osgi.service.component.annotations.Activate");

  /** Methods that frameworks call when the application starts, by the type that declares them. */
  private static final Map<String, String> CALLBACKS =
      Map.ofEntries(
          Map.entry("org.osgi.framework.BundleActivator", "start"),
          Map.entry("org.springframework.beans.factory.InitializingBean", "afterPropertiesSet"),
          Map.entry("org.springframework.boot.ApplicationRunner", "run"),
          Map.entry("org.springframework.boot.CommandLineRunner", "run"),
          Map.entry("org.springframework.context.Lifecycle", "start"),
          Map.entry("jakarta.servlet.ServletContainerInitializer", "onStartup"),
          Map.entry("javax.servlet.ServletContainerInitializer", "onStartup"),
          Map.entry("jakarta.servlet.ServletContextListener", "contextInitialized"),
          Map.entry("javax.servlet.ServletContextListener", "contextInitialized"),
          Map.entry("jakarta.servlet.Servlet", "init"),
          Map.entry("javax.servlet.Servlet", "init"));

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

  StartupMethods(ClassPathHierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  boolean include(OwnMethod method) {
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
}
