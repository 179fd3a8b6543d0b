package io.portcullis.backend.quorum.disk;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.portcullis.backend.quorum.machine.HardState;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that stores one member's ballot and is locked against use by another process.
 *
 * <p>Not thread-safe: one thread may use it at a time. A ballot counts as saved only once {@link
 * #save} has returned. After a failed save it is unknown whether a restart finds the old or the new
 * ballot. Until a save succeeds, nothing may depend on the new ballot, and nothing that would be
 * wrong under the new ballot may depend on the old one.
 */
public final class VoteStore implements AutoCloseable {
  private static final String NAME = "ballot";
  private static final String UNFINISHED = "ballot.tmp";

  private final Path folder;
  private final FileReplacer disk;
  private final FolderLock lock;
  private final VoteFileFormat text;

  private VoteStore(Path folder, FileReplacer disk, FolderLock lock, VoteFileFormat text) {
    this.folder = folder;
    this.disk = disk;
    this.lock = lock;
    this.text = text;
  }

  /**
   * Opens the member's own folder in the data folder, and creates it if it does not exist.
   *
   * @param cluster the cluster of the election, {@code service/election}
   * @param member this node's id among the members
   * @throws UnusableFolderException if the folder can't be created or written, or is locked
   */
  public static VoteStore open(Path dataDir, String cluster, String member)
      throws UnusableFolderException {
    return open(dataDir, cluster, member, new LocalFileReplacer());
  }

  static VoteStore open(Path dataDir, String cluster, String member, FileReplacer disk)
      throws UnusableFolderException {
    Path parent = dataDir.toAbsolutePath().normalize();
    Path folder = parent.resolve(folderName(cluster, member));
    try {
      create(folder, disk);
      disk.sync(parent); // The process that created the folder may have crashed before its sync.
      Path real = folder.toRealPath();
      FolderLock lock = FolderLock.take(real);
      try {
        // No message was sent that depends on an unfinished save.
        Files.deleteIfExists(real.resolve(UNFINISHED));
        disk.sync(real);
        return new VoteStore(real, disk, lock, new VoteFileFormat(cluster, member));
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (UnusableFolderException e) {
      throw e;
    } catch (IOException e) {
      throw new UnusableFolderException(
          "The folder "
              + folder
              + " can't be used for the votes of this node: "
              + IoErrorText.of(e)
              + ". Make it a folder that this process may read and write, or name another one with"
              + " quorum.data-dir.",
          e);
    }
  }

  /**
   * Returns a folder name that is unique to the member and its cluster and is never {@code ..}: an
   * id can't contain the plus sign.
   */
  private static String folderName(String cluster, String member) {
    String name = cluster.replace('/', '+') + "+" + member;
    if (!name.matches("[A-Za-z0-9._-]+(\\+[A-Za-z0-9._-]+){2}")) {
      throw new IllegalArgumentException("invalid ids: " + cluster + ", " + member);
    }
    return name;
  }

  /** Creates a folder that survives a crash: its parent is synced too. */
  private static void create(Path folder, FileReplacer disk) throws IOException {
    Path parent = folder.getParent();
    if (parent == null || Files.isDirectory(folder)) {
      return;
    }
    create(parent, disk);
    Files.createDirectories(folder);
    disk.sync(parent);
  }

  /**
   * Returns the ballot that was saved last; empty if none was ever saved.
   *
   * @throws CorruptVoteFileException if there is a ballot but it is invalid
   * @throws IOException if the ballot can't be read
   */
  public Optional<HardState> load() throws IOException {
    Path file = folder.resolve(NAME);
    try {
      lock.check();
      return exists(file) ? Optional.of(text.decode(read(file))) : Optional.empty();
    } catch (VoteFileFormat.MalformedVoteFileException e) {
      throw corruptVoteFile(e.why());
    } catch (IOException e) {
      throw new IOException("The ballot " + file + " can't be read: " + IoErrorText.of(e) + ".", e);
    }
  }

  /** Whether a ballot that could not be read has been repaired or removed since. */
  public boolean isRepaired() {
    try {
      load();
      return true;
    } catch (IOException e) {
      return !Files.isDirectory(folder, NOFOLLOW_LINKS); // The whole folder was removed.
    }
  }

  /** Unlike {@link Files#exists}, throws if it can't determine whether the file exists. */
  private static boolean exists(Path file) throws IOException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static byte[] read(Path file)
      throws IOException, VoteFileFormat.MalformedVoteFileException {
    if (!Files.isRegularFile(file)) {
      throw new VoteFileFormat.MalformedVoteFileException("is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(VoteFileFormat.MAX_BYTES + 1);
      if (bytes.length > VoteFileFormat.MAX_BYTES) {
        throw new VoteFileFormat.MalformedVoteFileException("is far too long");
      }
      return bytes;
    }
  }

  private CorruptVoteFileException corruptVoteFile(String why) {
    return new CorruptVoteFileException(
        "The ballot "
            + folder.resolve(NAME)
            + " "
            + why
            + ". This node can't know how it voted. If the wrong folder was named, correct"
            + " quorum.data-dir and start again; else run: rm "
            + folder.resolve(NAME)
            + " and this node, without a restart, waits a lease and recovers from the others. Never"
            + " put an older copy in its place, and never do this on several nodes at a time.");
  }

  /**
   * Replaces the stored ballot with this one. Once this method has returned, the ballot survives a
   * crash.
   *
   * @throws IOException if it is not certain that the ballot is on disk; a later save may succeed
   */
  public void save(HardState ballot) throws IOException {
    byte[] bytes = text.encode(ballot);
    Path unfinished = folder.resolve(UNFINISHED);
    try {
      lock.check();
      disk.write(unfinished, bytes);
      disk.rename(unfinished, folder.resolve(NAME));
      disk.sync(folder);
    } catch (IOException e) {
      throw new IOException(
          "The ballot can't be saved in "
              + folder
              + ": "
              + IoErrorText.of(e)
              + ". Until it can, this node neither votes nor promises; check that there is free"
              + " space and that this process may write there.",
          e);
    }
  }

  /** The real path of the member's folder. */
  public Path folder() {
    return folder;
  }

  /** A warning for the log if the folder probably does not survive a restart; empty otherwise. */
  public Optional<String> ephemeral() {
    return EphemeralFolderCheck.reason(folder);
  }

  /** Unlocks the folder. */
  @Override
  public void close() {
    lock.close();
  }

  /**
   * Thrown if there is a ballot but it is invalid. The member's votes and promises are then
   * unknown, and the caller must not act as if there were none. The message states the reason and
   * the repair.
   */
  public static final class CorruptVoteFileException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptVoteFileException(String message) {
      super(message);
    }
  }

  /**
   * Detects folders that are lost when the machine or the container restarts. A member that loses
   * its ballot at each restart must recover from the other members each time, and if a majority
   * loses its ballots at once, members may vote twice.
   */
  static final class EphemeralFolderCheck {
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "rootfs");
    private static final Set<String> LAYERED = Set.of("overlay", "overlayfs", "aufs");

    private EphemeralFolderCheck() {}

    /** Why this folder probably does not survive a restart; empty if it does or if unknown. */
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
                      + ") and is lost at a restart; put data-dir on a volume or disk that"
                      + " persists.");
    }

    static Optional<String> place(String type) {
      if (IN_MEMORY.contains(type)) {
        return Optional.of("in memory");
      }
      return LAYERED.contains(type) ? Optional.of("in a container's own layer") : Optional.empty();
    }
  }

  /** Replaces files on the file system of this machine. */
  static final class LocalFileReplacer implements FileReplacer {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    /** False on Windows, which can't open a folder as a file and so can't flush it. */
    private static final boolean CAN_SYNC_FOLDERS = File.separatorChar == '/';

    private static final AtomicBoolean WARNED = new AtomicBoolean();

    @Override
    public void write(Path file, byte[] content) throws IOException {
      try (FileChannel out = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
        ByteBuffer remaining = ByteBuffer.wrap(content);
        while (remaining.hasRemaining()) {
          out.write(remaining);
        }
        out.force(true);
      }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    @Override
    public void sync(Path folder) throws IOException {
      if (CAN_SYNC_FOLDERS) {
        try (FileChannel channel = FileChannel.open(folder, READ)) {
          channel.force(true);
        }
      } else if (!WARNED.getAndSet(true)) {
        LOG.warn(
            "portcullis this platform can't flush a folder to disk: a power failure right after a"
                + " vote may bring back the previous ballot in {}",
            folder);
      }
    }
  }

  /** Describes why a file operation failed; many file system exceptions name only the file. */
  static final class IoErrorText {
    private IoErrorText() {}

    static String of(IOException failure) {
      if (failure instanceof AccessDeniedException) {
        return "access is denied";
      }
      if (failure instanceof FileAlreadyExistsException
          || failure instanceof NotDirectoryException) {
        return "a file that is not a folder is in its way";
      }
      if (failure instanceof NoSuchFileException) {
        return "it no longer exists";
      }
      String reason =
          failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
      return reason == null || reason.isBlank() ? failure.getClass().getSimpleName() : reason;
    }
  }

  /** Thrown if no ballot can be kept in the folder. The message is meant for the operator. */
  public static class UnusableFolderException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableFolderException(String message) {
      super(message);
    }

    UnusableFolderException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /** The three steps that replace a file so that a crash leaves either the old or the new one. */
  interface FileReplacer {

    /** Creates or overwrites a file and returns once its content is on disk. */
    void write(Path file, byte[] content) throws IOException;

    /** Renames a file to the name of another one, which it replaces atomically. */
    void rename(Path from, Path to) throws IOException;

    /** Returns once the entries of this folder are on disk. */
    void sync(Path folder) throws IOException;
  }
}
