package io.portcullis.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One JVM with the service and the agent. A restarted node is a new instance. */
final class ServiceNode {
  private static final String READY = "ledger listening on ";
  private static final int MAX_LOG_LINES = 15;
  private static final int MAX_SECONDS_TO_END = 10;

  private final NodeConfig config;
  private final String writer;
  private final Path output;
  private final Path log;
  private final Process process;
  private volatile boolean ending;

  private ServiceNode(NodeConfig config, String writer, Path output, Path log, Process process) {
    this.config = config;
    this.writer = writer;
    this.output = output;
    this.log = log;
    this.process = process;
  }

  /** Starts the JVM without waiting until it is ready. */
  static ServiceNode start(NodeConfig config, String writer, Path folder, DemoJars jars)
      throws IOException {
    Path file = Files.writeString(folder.resolve(writer + ".conf"), config.text());
    Path output = folder.resolve(writer + ".out");
    Path log = folder.resolve(writer + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-javaagent:" + jars.agent() + "=" + file,
            "-jar",
            jars.service().toString());
    builder.environment().keySet().removeIf(ServiceNode::affectsDemo);
    builder.environment().put("PORT", Integer.toString(config.servicePort()));
    builder.environment().put("WRITER", writer);
    builder.environment().put("JOURNAL", folder.resolve("journal.log").toString());
    builder.redirectOutput(output.toFile()).redirectError(log.toFile());
    return new ServiceNode(config, writer, output, log, builder.start());
  }

  /** Whether a variable of the calling shell would change the settings of agent or service. */
  private static boolean affectsDemo(String variable) {
    return variable.startsWith("PORTCULLIS")
        || List.of("BIND", "DB_URL", "CLOSING_ENTRY", "JAVA_TOOL_OPTIONS").contains(variable);
  }

  String id() {
    return config.id();
  }

  /** The writer name of this JVM in the journal. */
  String writer() {
    return writer;
  }

  URI service() {
    return URI.create("http://127.0.0.1:" + config.servicePort());
  }

  URI agent() {
    return URI.create("http://127.0.0.1:" + config.agentPort());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  boolean isReady() throws IOException {
    return Files.readString(output).contains(READY);
  }

  boolean endedUnexpectedly() {
    return !ending && !process.isAlive();
  }

  /** Sends SIGKILL. */
  void kill() {
    ending = true;
    process.destroyForcibly();
  }

  /** Sends SIGTERM. */
  void terminate() {
    ending = true;
    process.destroy();
  }

  /** Waits until the JVM has ended; kills it after a timeout. */
  void awaitEnd() throws InterruptedException {
    if (!process.waitFor(MAX_SECONDS_TO_END, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      process.waitFor(MAX_SECONDS_TO_END, TimeUnit.SECONDS);
    }
  }

  List<LoggedTenure> tenures() throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return LoggedTenure.inLog(NodeConfig.ELECTION, writer, lines);
    }
  }

  /** Whether the log shows that this quorum member votes. */
  boolean votes() throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return VoteLogParser.inLog(NodeConfig.ELECTION, lines);
    }
  }

  /** The last lines of the log, for an error message. */
  String logTail() throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return String.join(
        System.lineSeparator(),
        lines.subList(Math.max(0, lines.size() - MAX_LOG_LINES), lines.size()));
  }
}
