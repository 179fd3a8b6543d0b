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

/** How a JVM is to be started. */
public final class Launch {
  /** Small, and quick to start: many of them share few cores. */
  private static final List<String> MODEST =
      List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** How the agent learns of its configuration. */
  public enum ConfBy {
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
  private ConfBy confBy = ConfBy.ARGUMENT;
  private Path jdk = Jdks.running();
  private boolean withAgent = true;
  private boolean stderrRead = true;
  private String agent = "";
  private String conf = "";

  private Launch() {}

  /** The demo service on a free port; it signs what it writes as {@code writer}. */
  public static Launch demoService(String writer, Path journal) {
    return jar(Artifacts.demoService())
        .env("PORT", "0")
        .env("WRITER", writer)
        .env("JOURNAL", journal.toString())
        .env("PORTCULLIS__node__id", writer);
  }

  public static Launch jar(Path jar, String... arguments) {
    Launch launch = new Launch();
    launch.program.addAll(List.of("-jar", jar.toString()));
    launch.program.addAll(Arrays.asList(arguments));
    return launch;
  }

  /** An application of the test classes' folder, with more on its class path. */
  public static Launch application(String mainClass, Path... classPath) {
    List<String> entries = new ArrayList<>();
    entries.add(Artifacts.testClasses().toString());
    Arrays.stream(classPath).map(Path::toString).forEach(entries::add);
    Launch launch = new Launch();
    launch.program.addAll(List.of("-cp", String.join(File.pathSeparator, entries), mainClass));
    return launch;
  }

  /** One of the programs in a jar, whose manifest names its libraries. */
  public static Launch program(Path jar, String mainClass, String... arguments) {
    Launch launch = new Launch();
    launch.program.addAll(List.of("-cp", jar.toString(), mainClass));
    launch.program.addAll(Arrays.asList(arguments));
    return launch;
  }

  public Launch argument(String argument) {
    program.add(argument);
    return this;
  }

  public Launch conf(AgentConf value) {
    return conf(value.text());
  }

  public Launch conf(String text) {
    conf = text;
    return this;
  }

  public Launch confBy(ConfBy value) {
    confBy = value;
    return this;
  }

  public Launch env(String name, String value) {
    env.put(name, value);
    return this;
  }

  public Launch property(String name, String value) {
    return option("-D" + name + "=" + value);
  }

  public Launch option(String option) {
    options.add(option);
    return this;
  }

  public Launch jdk(Path home) {
    jdk = home;
    return this;
  }

  /** Another copy of the agent's jar. */
  public Launch agent(Path jar) {
    agent = jar.toString();
    return this;
  }

  /** Somebody else's agent, listed before ours. */
  public Launch agentBefore(Path jar, String argument) {
    agentsBefore.add("-javaagent:" + jar + "=" + argument);
    return this;
  }

  /** The same, listed after ours. */
  public Launch agentAfter(Path jar, String argument) {
    agentsAfter.add("-javaagent:" + jar + "=" + argument);
    return this;
  }

  /** Nobody reads standard error before the process has ended: it is a pipe that fills up. */
  public Launch stderrUnread() {
    stderrRead = false;
    return this;
  }

  boolean isStderrRead() {
    return stderrRead;
  }

  /** A command in front of all, which ends by becoming the JVM: its process is the JVM's. */
  public Launch behind(List<String> command) {
    prefix.addAll(command);
    return this;
  }

  public Launch withoutAgent() {
    withAgent = false;
    return this;
  }

  Process start(Path folder) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Jdks.tool(jdk, "java"));
    command.addAll(MODEST);
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
    if (confBy == ConfBy.ENVIRONMENT) {
      environment.put("PORTCULLIS_CONFIG", "named.conf");
    }
    return builder.start();
  }

  private List<String> agentOptions(Path folder) throws IOException {
    String option = "-javaagent:" + (agent.isEmpty() ? Artifacts.agent().toString() : agent);
    boolean byName = confBy == ConfBy.PROPERTY || confBy == ConfBy.ENVIRONMENT;
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
