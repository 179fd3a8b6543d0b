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
 * A folder that keeps one member's ballot, and that no other process can have at the same time.
 *
 * <p>It is used by one thread at a time. A ballot counts as kept only once {@link #save} has
 * returned; after a failed one it is unknown which of the two a restart finds, so nothing may rest
 * on the new one, and the old one must not be relied on either by those who could be harmed by the
 * new one being true.
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
   * Opens the member's own folder within the data folder, and makes it if there is none.
   *
   * @param cluster whose election this is, {@code service/election}
   * @param member this node's id among the members
   * @throws UnusableFolderException if it can't be made or written, or another process has it
   */
  public static VoteStore open(Path dataDir, String cluster, String member)
      throws UnusableFolderException {
    return open(dataDir, cluster, member, new LocalFileReplacer());
  }

  static VoteStore open(Path dataDir, String cluster, String member, FileReplacer disk)
      throws UnusableFolderException {
    Path around = dataDir.toAbsolutePath().normalize();
    Path folder = around.resolve(folderName(cluster, member));
    try {
      make(folder, disk);
      disk.sync(around); // Whoever made the folder may have crashed before it came to this.
      Path real = folder.toRealPath();
      FolderLock lock = FolderLock.take(real);
      try {
        // Nobody was promised what an unfinished save was about to say.
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
   * The plus is no part of any id, so that no two members of any two clusters share a folder, and
   * none is called {@code ..}.
   */
  private static String folderName(String cluster, String member) {
    String name = cluster.replace('/', '+') + "+" + member;
    if (!name.matches("[A-Za-z0-9._-]+(\\+[A-Za-z0-9._-]+){2}")) {
      throw new IllegalArgumentException("no ids: " + cluster + ", " + member);
    }
    return name;
  }

  /** A folder outlives a crash once the folder around it is on the disk too. */
  private static void make(Path folder, FileReplacer disk) throws IOException {
    Path around = folder.getParent();
    if (around == null || Files.isDirectory(folder)) {
      return;
    }
    make(around, disk);
    Files.createDirectories(folder);
    disk.sync(around);
  }

  /**
   * The ballot that was saved last; empty if none ever was.
   *
   * @throws CorruptVoteFileException if there is one that can't be relied on
   * @throws IOException if it can't be read
   */
  public Optional<HardState> load() throws IOException {
    Path file = folder.resolve(NAME);
    try {
      lock.check();
      return isThere(file) ? Optional.of(text.decode(read(file))) : Optional.empty();
    } catch (VoteFileFormat.MalformedVoteFileException e) {
      throw corruptVoteFile(e.why());
    } catch (IOException e) {
      throw new IOException("The ballot " + file + " can't be read: " + IoErrorText.of(e) + ".", e);
    }
  }

  /** Whether what could not be read before was repaired or removed since. */
  public boolean isRepaired() {
    try {
      load();
      return true;
    } catch (IOException e) {
      return !Files.isDirectory(folder, NOFOLLOW_LINKS); // Removed with all that was in it.
    }
  }

  /** Unlike {@link Files#exists} it does not take for absent what can't be looked at. */
  private static boolean isThere(Path file) throws IOException {
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
      throw new VoteFileFormat.MalformedVoteFileException("is no plain file");
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
            + " and this node, without a restart, waits a lease and learns from the others. Never"
            + " put an older copy in its place, and never do this on several nodes at a time.");
  }

  /**
   * Keeps this ballot in place of the one before. Once it has returned, a crash loses nothing.
   *
   * @throws IOException with a sentence if that is not certain; a later save may succeed
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
              + ". Until it can, this node gives no vote and no promise; see to it that there is"
              + " space and that this process may write there.",
          e);
    }
  }

  /** Where it is. */
  public Path folder() {
    return folder;
  }

  /** A sentence that says why the folder looks as if it were lost at a restart, if it does. */
  public Optional<String> ephemeral() {
    return EphemeralFolderCheck.reason(folder);
  }

  /** Lets others have the folder. */
  @Override
  public void close() {
    lock.close();
  }

  /**
   * There is a ballot, and it can't be relied on. Whoever gets this knows nothing of its votes and
   * promises and must not act as if there were none. The message says why, and what to do.
   */
  public static final class CorruptVoteFileException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptVoteFileException(String sentence) {
      super(sentence);
    }
  }

  /**
   * Recognises folders that do not outlive the machine or the container. A member that forgets its
   * ballot at each restart has to learn from the others again, and a majority that forgets at once
   * may vote twice.
   */
  static final class EphemeralFolderCheck {
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "rootfs");
    private static final Set<String> LAYERED = Set.of("overlay", "overlayfs", "aufs");

    private EphemeralFolderCheck() {}

    /**
     * Why this folder looks as if it were lost at a restart; empty if it does not, or none knows.
     */
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

  /** The disk of this machine. */
  static final class LocalFileReplacer implements FileReplacer {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    /** Windows opens no folder as a file, and so has no way to wait for its names. */
    private static final boolean CAN_SYNC_FOLDERS = File.separatorChar == '/';

    private static final AtomicBoolean WARNED = new AtomicBoolean();

    @Override
    public void write(Path file, byte[] content) throws IOException {
      try (FileChannel out = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
          out.write(left);
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
        try (FileChannel names = FileChannel.open(folder, READ)) {
          names.force(true);
        }
      } else if (!WARNED.getAndSet(true)) {
        LOG.warn(
            "portcullis this platform can't wait for a folder to reach the disk: a power failure right"
                + " after a vote may bring back the ballot before it in {}",
            folder);
      }
    }
  }

  /**
   * Says in words why the file system refused; many of its exceptions name a file and no reason.
   */
  static final class IoErrorText {
    private IoErrorText() {}

    static String of(IOException refusal) {
      if (refusal instanceof AccessDeniedException) {
        return "access is denied";
      }
      if (refusal instanceof FileAlreadyExistsException
          || refusal instanceof NotDirectoryException) {
        return "there is something in its way that is no folder";
      }
      if (refusal instanceof NoSuchFileException) {
        return "it is not there any more";
      }
      String words =
          refusal instanceof FileSystemException known ? known.getReason() : refusal.getMessage();
      return words == null || words.isBlank() ? refusal.getClass().getSimpleName() : words;
    }
  }

  /** A folder in which no ballot can be kept. The message is a sentence for the operator. */
  public static class UnusableFolderException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableFolderException(String sentence) {
      super(sentence);
    }

    UnusableFolderException(String sentence, IOException cause) {
      super(sentence, cause);
    }
  }

  /** The three steps by which a file is replaced so that a crash leaves the old one or the new. */
  interface FileReplacer {

    /** Writes a file anew and returns once its content is on the disk. */
    void write(Path file, byte[] content) throws IOException;

    /** Gives a file the name of another one, which is gone in the same instant. */
    void rename(Path from, Path to) throws IOException;

    /** Returns once the names in this folder are on the disk. */
    void sync(Path folder) throws IOException;
  }
}
