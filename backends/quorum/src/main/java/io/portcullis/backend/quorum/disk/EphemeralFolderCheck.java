package io.portcullis.backend.quorum.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Recognises folders that do not outlive the machine or the container. A member that forgets its
 * ballot at each restart has to learn from the others again, and a majority that forgets at once
 * may vote twice.
 */
final class EphemeralFolderCheck {
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "rootfs");
  private static final Set<String> LAYERED = Set.of("overlay", "overlayfs", "aufs");

  private EphemeralFolderCheck() {}

  /** Why this folder looks as if it were lost at a restart; empty if it does not, or none knows. */
  static Optional<String> reason(Path folder) {
    String type;
    try {
      type = Files.getFileStore(folder).type();
    } catch (IOException e) {
      return Optional.empty();
    }
    return place(type)
        .map(
            place ->
                "The folder "
                    + folder
                    + " is "
                    + place
                    + " ("
                    + type
                    + ") and is lost at a restart; put data-dir on a volume or disk that stays.");
  }

  static Optional<String> place(String type) {
    if (IN_MEMORY.contains(type)) {
      return Optional.of("in memory");
    }
    return LAYERED.contains(type) ? Optional.of("in a container's own layer") : Optional.empty();
  }
}
