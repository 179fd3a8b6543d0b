package io.portcullis.rules.check.classpath;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A folder: class files, an unpacked archive, or an installation with archives at any depth.
 * Symbolic links are followed, except those that lead back to a folder above. Hidden folders are
 * not read.
 */
final class FolderArchive implements Archive {
  /** Maximum number of files in a folder; a larger one is refused rather than read in part. */
  static final int MAX_FILES = 500_000;

  /** Maximum depth of folders, more than package names and installations need. */
  private static final int MAX_DEPTH = 64;

  /**
   * Places where servers keep what is deployed: {@code deploy} of Karaf, {@code deployments} of
   * WildFly, {@code app} of Quarkus.
   */
  private static final Pattern DEPLOYED =
      Pattern.compile("(.*/)?(deploy|deployments|quarkus-app/app)/[^/]+\\.jar");

  private final Path root;
  private final List<String> names;

  FolderArchive(Path root) throws IOException {
    this(root, MAX_FILES);
  }

  FolderArchive(Path root, int maxFiles) throws IOException {
    this.root = root;
    this.names = new FileList(root, maxFiles).read();
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public InputStream open(String name) throws IOException {
    return Files.newInputStream(root.resolve(name));
  }

  /**
   * The archives at any depth, without those that the folder's own layout has, such as {@code
   * WEB-INF/lib}. Those of the application come first, because copies of them may exist elsewhere.
   */
  List<FoundArchive> archives(JarContents contents) {
    Set<String> ownLayout = new HashSet<>(contents.libraries());
    ownLayout.addAll(contents.modules());
    String main = onlyJarAtTop().orElse("");
    return names.stream()
        .filter(name -> Archive.isArchive(name) || name.endsWith(".ear"))
        .filter(name -> !ownLayout.contains(name))
        .map(name -> new FoundArchive(root.resolve(name), name.equals(main) || isApplication(name)))
        .sorted(Comparator.comparing(found -> !found.application()))
        .toList();
  }

  /**
   * Whether an archive belongs to the application: it is a war or an ear, or a jar where deployed
   * ones are kept.
   */
  private boolean isApplication(String name) {
    return name.endsWith(".war")
        || name.endsWith(".ear")
        || DEPLOYED.matcher(root.toAbsolutePath().normalize().getFileName() + "/" + name).matches();
  }

  /** The only jar at the top if there are others below: then those are its libraries. */
  private Optional<String> onlyJarAtTop() {
    List<String> jars = names.stream().filter(name -> name.endsWith(".jar")).toList();
    List<String> top = jars.stream().filter(name -> name.indexOf('/') < 0).toList();
    return top.size() == 1 && jars.size() > 1 ? Optional.of(top.get(0)) : Optional.empty();
  }

  @Override
  public void close() {
    // No open resources.
  }

  /** An archive in the folder. */
  record FoundArchive(Path file, boolean application) {}

  /** Lists the files of a folder, up to a limit. */
  private static final class FileList extends SimpleFileVisitor<Path> {
    private final Path root;
    private final int maxFiles;
    private final List<String> names = new ArrayList<>();

    FileList(Path root, int maxFiles) {
      this.root = root;
      this.maxFiles = maxFiles;
    }

    List<String> read() throws IOException {
      Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), MAX_DEPTH, this);
      names.sort(Comparator.naturalOrder());
      return List.copyOf(names);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      boolean hidden = !folder.equals(root) && folder.getFileName().toString().startsWith(".");
      return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile()) {
        if (names.size() == maxFiles) {
          throw new IOException(
              "it contains more than " + maxFiles + " files; name the folders of the application");
        }
        names.add(root.relativize(file).toString().replace(File.separatorChar, '/'));
      }
      return FileVisitResult.CONTINUE;
    }

    /** Skips links that lead back to a folder above, broken links, and what may not be read. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException reason) throws IOException {
      if (file.equals(root)) {
        throw reason;
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
