package io.portcullis.agent.config;

import io.portcullis.election.backend.Secret;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A secret that is what its file says, read each time it is needed: secrets are small and needed
 * rarely. While the file can't be read, half-way through being replaced or for good, the last one
 * holds, and that is told once.
 */
final class ReloadableSecret implements Secret {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final Path folder;
  private final String name;
  private final Secrets known;
  private String last;
  private @Nullable String complaint;

  private ReloadableSecret(Path folder, String name, Secrets known, String first) {
    this.folder = folder;
    this.name = name;
    this.known = known;
    this.last = first;
  }

  /**
   * Reads it for the first time.
   *
   * @param known is told of each value, so that none is ever shown
   */
  static ReloadableSecret read(Path folder, String name, Secrets known)
      throws InvalidValueException {
    String first = SecretFile.read(folder, name);
    known.learn(first);
    return new ReloadableSecret(folder, name, known, first);
  }

  @Override
  public synchronized String current() {
    try {
      String now = SecretFile.read(folder, name);
      if (!now.equals(last)) {
        known.learn(now);
        last = now;
        LOG.info("portcullis took up a new secret from {}", folder.resolve(name).normalize());
      }
      complaint = null;
    } catch (InvalidValueException e) {
      if (!e.why().equals(complaint)) {
        complaint = e.why();
        LOG.warn("portcullis keeps the secret it has read before: {}", e.why());
      }
    }
    return last;
  }

  @Override
  public String toString() {
    return SecretRedaction.STARS;
  }
}
