package io.portcullis.it.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.election.contract.StoreFixture;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.it.support.TestAppCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the published contract test on the backend of the extension example. */
class ExtensionContractIT extends BackendContract {
  @TempDir static Path folder;
  private static URLClassLoader loader;
  private static Backend backend;

  @BeforeAll
  static void open() throws IOException {
    URL jar = TestAppCompiler.extension(folder).toUri().toURL();
    loader = new URLClassLoader(new URL[] {jar}, Backend.class.getClassLoader());
    backend = ServiceLoader.load(Backend.class, loader).findFirst().orElseThrow();
  }

  @AfterAll
  static void close() throws IOException {
    loader.close();
  }

  @Override
  protected StoreFixture newFixture() {
    Path directory;
    try {
      directory = Files.createTempDirectory(folder, "lease");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    StorePlan plan = plan(directory);
    return new StoreFixture() {
      @Override
      public LeaseStore open(ElectionConfig config) {
        return plan.open(config);
      }

      @Override
      public void wipe() {
        try {
          Files.delete(directory.resolve("orders.writer.lease"));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private static StorePlan plan(Path directory) {
    return Objects.requireNonNull(
        backend.plan(
            "orders",
            "writer",
            ReferenceSettings.of(
                backend.getClass(), Map.of("directory.path", directory.toString()))));
  }

  /** Waiting nodes poll. */
  @Override
  protected boolean givesHints() {
    return false;
  }

  @Test
  void leaseIsIdentifiedByItsDirectory() throws IOException {
    Path one = Files.createTempDirectory(folder, "one");
    Path other = Files.createTempDirectory(folder, "other");

    assertThat(plan(one).storeKey())
        .isEqualTo(plan(one.resolve("../" + one.getFileName())).storeKey());
    assertThat(plan(one).storeKey()).isNotEqualTo(plan(other).storeKey());
  }
}
