package com.acme.lease;

import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.LeaseTiming;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import io.portcullis.election.store.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;

/** Backend for {@code backend = directory}: the lease is a file, for processes of one machine. */
public final class DirectoryBackend implements Backend {
  @Override
  public String name() {
    return "directory";
  }

  @Override
  public StorePlan plan(String service, String election, Settings settings) {
    int before = settings.problems();
    Timing timing = timing(settings.section("timing"));
    Settings own = settings.section("directory");
    Path directory = directory(own);
    return timing == null || directory == null || settings.problems() > before
        ? null
        : new Plan(timing, directory.resolve(service + "." + election + ".lease"));
  }

  private static Timing timing(Settings timing) {
    TimingBuilder builder = LeaseTiming.read(timing);
    Duration lease = timing.duration("lease");
    timing.optionalDuration("renew").ifPresent(builder::renew);
    Backoff backoff = new Backoff(lease.dividedBy(8), lease.dividedBy(4), 0.2);
    builder.heldBackoff(backoff).unknownBackoff(backoff);
    return LeaseTiming.build(builder, timing);
  }

  private static Path directory(Settings own) {
    try {
      Path directory = Path.of(own.text("path"));
      if (Files.isDirectory(directory)) {
        return directory.toRealPath();
      }
    } catch (InvalidPathException | IOException e) {
      // Reported below.
    }
    own.refuse("path", "must be an existing directory; create it or name another");
    return null;
  }

  private record Plan(Timing timing, Path file) implements StorePlan {
    @Override
    public String storeKey() {
      return file.toString();
    }

    @Override
    public String describe() {
      return "file " + file;
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      return new DirectoryLease(file, config.timing().lease());
    }
  }
}
