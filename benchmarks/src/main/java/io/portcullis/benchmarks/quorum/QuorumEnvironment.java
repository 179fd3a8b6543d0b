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
 * The folder of one run and all members in it. After {@link #close} nothing remains and nothing can
 * be started, so that an interrupt at any moment leaves nothing behind.
 */
final class QuorumEnvironment implements AutoCloseable {
  private final Path folder;
  private final Map<String, String> timing;
  private final List<BenchmarkCluster> clusters = new ArrayList<>();
  private boolean closed;

  private QuorumEnvironment(Path folder, Map<String, String> timing) {
    this.folder = folder;
    this.timing = timing;
  }

  /**
   * Creates an environment.
   *
   * @param timing settings that differ from the default
   */
  static QuorumEnvironment open(Map<String, String> timing) throws IOException {
    return new QuorumEnvironment(Files.createTempDirectory("portcullis-quorum-"), timing);
  }

  /** Creates this many members that have never voted and are not started yet. */
  synchronized BenchmarkCluster assemble(int size) {
    if (closed) {
      throw new MeasurementException("It was ended.");
    }
    BenchmarkCluster cluster =
        new BenchmarkCluster(size, folder.resolve(String.valueOf(clusters.size())), timing);
    clusters.add(cluster);
    return cluster;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    clusters.forEach(BenchmarkCluster::close);
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
