package io.portcullis.agent;

import java.lang.module.ModuleFinder;
import java.util.Properties;
import java.util.Set;

/**
 * JVMs that an agent in {@code JAVA_TOOL_OPTIONS} reaches although nobody means them: the JDK's own
 * tools, and the agent's own command line tool.
 */
final class IgnoredJvm {
  /** Runs somebody else's program, although it is a class of the JDK. */
  private static final String SOURCE_LAUNCHER = "com.sun.tools.javac.launcher.";

  private static final Set<String> TOOLS_OUTSIDE_MODULES =
      Set.of("sun.tools.", "com.sun.tools.", "jdk.tools.", "sun.security.tools.");

  private IgnoredJvm() {}

  /** Whether the JVM with these system properties is one of them. */
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

  /** By where it comes from: an application may call its modules as it likes. */
  private static boolean isOfTheJdk(String module) {
    return !module.isEmpty() && ModuleFinder.ofSystem().find(module).isPresent();
  }
}
