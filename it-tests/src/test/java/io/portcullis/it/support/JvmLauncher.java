package io.portcullis.it.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts a JVM with or without the agent. */
public final class JvmLauncher {
  /** A small heap and quick startup: many JVMs share few cores. */
  private static final List<String> SMALL_JVM_OPTIONS =
      List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** How the agent finds its configuration. */
  public enum ConfigSource {
    ARGUMENT,
    PROPERTY,
    ENVIRONMENT,
    WORKING_FOLDER
  }

  private final List<String> program = new ArrayList<>();
  private final List<String> agentsBefore = new ArrayList<>();
  private final List<String> agentsAfter = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final List<String> prefix = new ArrayList<>();
  private final Map<String, String> env = new TreeMap<>();
  private ConfigSource confBy = ConfigSource.ARGUMENT;
  private Path jdk = Jdks.running();
  private boolean withAgent = true;
  private boolean stderrRead = true;
  private String agent = "";
  private String conf = "";

  private JvmLauncher() {}

  /** The demo service on a free port; it writes entries as {@code writer}. */
  public static JvmLauncher demoService(String writer, Path journal) {
    return jar(Artifacts.demoService())
        .env("PORT", "0")
        .env("WRITER", writer)
        .env("JOURNAL", journal.toString())
        .env("PORTCULLIS__node__id", writer);
  }

  public static JvmLauncher jar(Path jar, String... arguments) {
    JvmLauncher launch = new JvmLauncher();
    launch.program.addAll(List.of("-jar", jar.toString()));
    launch.program.addAll(Arrays.asList(arguments));
    return launch;
  }

  /** An application in the test classes' folder, with additional class path entries. */
  public static JvmLauncher application(String mainClass, Path... classPath) {
    List<String> entries = new ArrayList<>();
    entries.add(Artifacts.testClasses().toString());
    Arrays.stream(classPath).map(Path::toString).forEach(entries::add);
    JvmLauncher launch = new JvmLauncher();
    launch.program.addAll(List.of("-cp", String.join(File.pathSeparator, entries), mainClass));
    return launch;
  }

  /** A program in a jar whose manifest names its libraries. */
  public static JvmLauncher program(Path jar, String mainClass, String... arguments) {
    JvmLauncher launch = new JvmLauncher();
    launch.program.addAll(List.of("-cp", jar.toString(), mainClass));
    launch.program.addAll(Arrays.asList(arguments));
    return launch;
  }

  public JvmLauncher argument(String argument) {
    program.add(argument);
    return this;
  }

  public JvmLauncher conf(AgentConf value) {
    return conf(value.text());
  }

  public JvmLauncher conf(String text) {
    conf = text;
    return this;
  }

  public JvmLauncher confBy(ConfigSource value) {
    confBy = value;
    return this;
  }

  public JvmLauncher env(String name, String value) {
    env.put(name, value);
    return this;
  }

  public JvmLauncher property(String name, String value) {
    return option("-D" + name + "=" + value);
  }

  public JvmLauncher option(String option) {
    options.add(option);
    return this;
  }

  public JvmLauncher jdk(Path home) {
    jdk = home;
    return this;
  }

  /** Uses another copy of the agent jar. */
  public JvmLauncher agent(Path jar) {
    agent = jar.toString();
    return this;
  }

  /** Adds another agent before this one. */
  public JvmLauncher agentBefore(Path jar, String argument) {
    agentsBefore.add("-javaagent:" + jar + "=" + argument);
    return this;
  }

  /** Adds another agent after this one. */
  public JvmLauncher agentAfter(Path jar, String argument) {
    agentsAfter.add("-javaagent:" + jar + "=" + argument);
    return this;
  }

  /** Leaves standard error, a pipe that fills up, unread until the process has ended. */
  public JvmLauncher stderrUnread() {
    stderrRead = false;
    return this;
  }

  boolean isStderrRead() {
    return stderrRead;
  }

  /** Prepends a command that ends by becoming the JVM, so its process is the JVM's. */
  public JvmLauncher prefixedBy(List<String> command) {
    prefix.addAll(command);
    return this;
  }

  public JvmLauncher withoutAgent() {
    withAgent = false;
    return this;
  }

  Process start(Path folder) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Jdks.tool(jdk, "java"));
    command.addAll(SMALL_JVM_OPTIONS);
    command.addAll(agentsBefore);
    if (withAgent) {
      command.addAll(agentOptions(folder));
    }
    command.addAll(agentsAfter);
    command.addAll(options);
    command.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("PORTCULLIS") || isJvmOption(name));
    environment.putAll(env);
    if (confBy == ConfigSource.ENVIRONMENT) {
      environment.put("PORTCULLIS_CONFIG", "named.conf");
    }
    return builder.start();
  }

  private List<String> agentOptions(Path folder) throws IOException {
    String option = "-javaagent:" + (agent.isEmpty() ? Artifacts.agent().toString() : agent);
    boolean byName = confBy == ConfigSource.PROPERTY || confBy == ConfigSource.ENVIRONMENT;
    Path file = folder.resolve(byName ? "named.conf" : "agent.conf");
    Files.writeString(file, conf);
    return switch (confBy) {
      case ARGUMENT -> List.of(option + "=" + file);
      case PROPERTY -> List.of(option, "-Dportcullis.config=named.conf");
      case ENVIRONMENT, WORKING_FOLDER -> List.of(option);
    };
  }

  private static boolean isJvmOption(String name) {
    return name.equals("JAVA_TOOL_OPTIONS") || name.equals("JDK_JAVA_OPTIONS");
  }
}
