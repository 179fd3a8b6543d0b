package io.portcullis.agent.extension;

import java.util.Set;

/**
 * What an extension sees besides its own jar: the JDK, and of this agent the types that {@code
 * docs/extensions.md} names. A library of the engine's would else stand in for another version that
 * the extension brings.
 */
final class ExtensionApiClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String OURS = "io.portcullis.";
  private static final String LOGGING = "org.slf4j.";

  private static final Set<String> PACKAGES =
      Set.of(
          "io.portcullis.election",
          "io.portcullis.election.backend",
          "io.portcullis.election.config",
          "io.portcullis.election.store",
          "io.portcullis.rules.extension",
          "io.portcullis.gate");

  /** What listeners are told in, of a package that is not published. */
  private static final Set<String> TYPES =
      Set.of("io.portcullis.election.machine.LossReason", "io.portcullis.election.machine.Leader");

  private final ClassLoader engine;

  ExtensionApiClassLoader(ClassLoader engine) {
    super("portcullis-published", ClassLoader.getPlatformClassLoader());
    this.engine = engine;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(LOGGING) || isPublished(name)) {
      return engine.loadClass(name);
    }
    if (name.startsWith(OURS)) {
      // The launcher is on the bootstrap loader, where the platform's would find it.
      throw notFound(name);
    }
    return super.loadClass(name, resolve);
  }

  /** Says why, where that may surprise the extension's author. */
  static ClassNotFoundException notFound(String name) {
    return new ClassNotFoundException(
        name + (name.startsWith(OURS) ? " is not published to extensions" : ""));
  }

  private static boolean isPublished(String name) {
    int dot = name.lastIndexOf('.');
    return (dot > 0 && PACKAGES.contains(name.substring(0, dot))) || TYPES.contains(name);
  }
}
