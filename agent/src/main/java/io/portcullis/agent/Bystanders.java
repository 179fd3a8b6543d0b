package io.portcullis.agent;

import java.io.File;
import java.util.Properties;
import java.util.Set;

/**
 * JVMs that an agent in {@code JAVA_TOOL_OPTIONS} reaches although nobody means them: the JDK's own
 * tools, and the agent's own command line tool.
 */
final class Bystanders {
  /** Modules of the JDK whose main classes run somebody else's program. */
  private static final String SOURCE_LAUNCHER = "com.sun.tools.javac.launcher.";

  private static final Set<String> TOOLS_OUTSIDE_MODULES =
      Set.of("sun.tools.", "com.sun.tools.", "jdk.tools.", "sun.security.tools.");

  private Bystanders() {}

  /** Whether the JVM with these system properties is one of them. */
  static boolean include(Properties properties) {
    String command = properties.getProperty("sun.java.command", "");
    String main = command.isEmpty() ? "" : command.split(" ", 2)[0];
    return isTool(properties.getProperty("jdk.module.main", ""), main) || isOwnTool(command);
  }

  private static boolean isTool(String mainModule, String main) {
    String mainClass = main.substring(main.indexOf('/') + 1);
    if (mainClass.startsWith(SOURCE_LAUNCHER)) {
      return false;
    }
    return mainModule.startsWith("jdk.")
        || mainModule.startsWith("java.")
        || TOOLS_OUTSIDE_MODULES.stream().anyMatch(mainClass::startsWith);
  }

  /** The jar's name may hold spaces, so the command is compared up to where the jar's name ends. */
  private static boolean isOwnTool(String command) {
    int end = command.indexOf(".jar");
    if (end < 0) {
      return command.startsWith(PortcullisAgent.class.getName());
    }
    File jar = new File(command.substring(0, end + ".jar".length()));
    return jar.isFile() && holdsThisAgent(jar);
  }

  private static boolean holdsThisAgent(File jar) {
    try (java.util.jar.JarFile opened = new java.util.jar.JarFile(jar, false)) {
      java.util.jar.Manifest manifest = opened.getManifest();
      return manifest != null
          && PortcullisAgent.class
              .getName()
              .equals(manifest.getMainAttributes().getValue("Main-Class"));
    } catch (java.io.IOException e) {
      return false;
    }
  }
}
