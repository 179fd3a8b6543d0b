package io.portcullis.agent;

import java.lang.module.ModuleFinder;
import java.util.Properties;
import java.util.Set;

/**
 * Detects JVMs that load the agent through {@code JAVA_TOOL_OPTIONS} but must not be changed by it:
 * the JDK's own tools and the agent's own command line tool.
 */
final class IgnoredJvm {
  /** Runs an application from its source file, although the main class belongs to the JDK. */
  private static final String SOURCE_LAUNCHER = "com.sun.tools.javac.launcher.";

  private static final Set<String> TOOLS_OUTSIDE_MODULES =
      Set.of("sun.tools.", "com.sun.tools.", "jdk.tools.", "sun.security.tools.");

  private IgnoredJvm() {}

  /** Whether the agent ignores the JVM with these system properties. */
  static boolean include(Properties properties) {
    Set<String> mainClasses = MainClass.names(properties);
    String mainModule = properties.getProperty("jdk.module.main", "");
    return mainClasses.contains(PortcullisAgent.class.getName())
        || mainClasses.stream().anyMatch(mainClass -> isTool(mainModule, mainClass));
  }

  private static boolean isTool(String mainModule, String mainClass) {
    if (mainClass.startsWith(SOURCE_LAUNCHER)) {
      return false;
    }
    return isOfTheJdk(mainModule) || TOOLS_OUTSIDE_MODULES.stream().anyMatch(mainClass::startsWith);
  }

  /** Decides by the module's origin, not its name: an application may choose any module name. */
  private static boolean isOfTheJdk(String module) {
    return !module.isEmpty() && ModuleFinder.ofSystem().find(module).isPresent();
  }
}
