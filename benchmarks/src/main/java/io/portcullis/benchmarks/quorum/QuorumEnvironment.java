package io.portcullis.benchmarks.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The folder of one run and all members in it. Once closed, nothing of them is left and nothing
 * more can be started, so that an interrupt at any moment leaves nothing behind.
 */
final class QuorumEnvironment implements AutoCloseable {
  private final Path folder;
  private final Map<String, String> timing;
  private final List<BenchmarkCluster> assemblies = new ArrayList<>();
  private boolean closed;

  private QuorumEnvironment(Path folder, Map<String, String> timing) {
    this.folder = folder;
    this.timing = timing;
  }

  /**
   * Opens a lab.
   *
   * @param timing what differs from the default
   */
  static QuorumEnvironment open(Map<String, String> timing) throws IOException {
    return new QuorumEnvironment(Files.createTempDirectory("portcullis-quorum-"), timing);
  }

  /** So many members that have never voted and are not started yet. */
  synchronized BenchmarkCluster assemble(int size) {
    if (closed) {
      throw new MeasurementException("It was ended.");
    }
    BenchmarkCluster assembly =
        new BenchmarkCluster(size, folder.resolve(String.valueOf(assemblies.size())), timing);
    assemblies.add(assembly);
    return assembly;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    assemblies.forEach(BenchmarkCluster::close);
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
