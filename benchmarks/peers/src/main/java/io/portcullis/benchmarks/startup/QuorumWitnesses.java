package io.portcullis.benchmarks.startup;

import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Two members of a quorum, as witnesses in JVMs of their own. The third member is the application
 * that is measured. They run during all starts, so that every variant has them beside it.
 */
final class QuorumWitnesses implements AutoCloseable {
  private static final List<String> NAMES = List.of("b", "c");

  private final String members;
  private final List<Process> processes = new ArrayList<>();

  private QuorumWitnesses(String members) {
    this.members = members;
  }

  static QuorumWitnesses start(Path agent, Path folder) throws IOException {
    Map<String, String> addresses = new TreeMap<>();
    addresses.put("a", address());
    NAMES.forEach(name -> addresses.put(name, address()));
    String members =
        addresses.entrySet().stream()
            .map(each -> "%s = \"%s\"".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
    QuorumWitnesses witnesses = new QuorumWitnesses(members);
    for (String name : NAMES) {
      Path config = folder.resolve("witness-" + name + ".conf");
      Files.writeString(config, ShopAgentConfig.witness(name, members, folder));
      witnesses.processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-jar",
                  agent.toString(),
                  "witness",
                  config.toString())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("witness-" + name + ".log").toFile())
              .start());
    }
    return witnesses;
  }

  private static String address() {
    return "127.0.0.1:" + LoopbackPort.free();
  }

  /** The member list, as it is written in the configuration of each member. */
  String members() {
    return members;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    for (Process process : processes) {
      process.onExit().join();
    }
  }
}
