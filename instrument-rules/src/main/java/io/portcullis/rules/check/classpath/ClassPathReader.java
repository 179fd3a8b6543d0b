package io.portcullis.rules.check.classpath;

import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationFiles;
import io.portcullis.rules.check.classpath.ClassPath.ReadProblem;
import io.portcullis.rules.check.classpath.FolderArchive.FoundArchive;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.match.ClassShape;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Reads the classes of all paths of a class path and of the archives nested in them. */
final class ClassPathReader {
  /** Maximum nesting of archives. A library in a war in an ear is the deepest known layout. */
  private static final int MAX_NESTING_DEPTH = 3;

  /** Maximum number of settings files that are read. */
  private static final int MAX_SETTINGS_FILES = 100;

  /** Ignored on the class path: the agent provides the gate's classes at run time. */
  private static final String GATE_PACKAGE = "io.portcullis.gate.";

  private final ApplicationClassCheck ownership;
  private final int release;
  private final Map<String, OfflineClass> classes = new LinkedHashMap<>();
  private final List<SettingsFile> settings = new ArrayList<>();
  private final List<ReadProblem> problems = new ArrayList<>();
  private final Set<Path> seen = new HashSet<>();
  private int archives;
  private String mainClass = "";

  ClassPathReader(ApplicationClassCheck ownership, int release) {
    this.ownership = ownership;
    this.release = release;
  }

  ClassPath result() {
    return new ClassPath(classes, new ApplicationFiles(mainClass, settings), problems, archives);
  }

  /**
   * Reads all paths. The first path and all directories belong to the application; other archives
   * are libraries, and those within a directory as {@link FolderArchive} decides.
   */
  void read(List<String> paths) {
    boolean first = true;
    for (String path : paths) {
      if (path.endsWith("*")) {
        readFolder(path);
      } else {
        readNamed(path, first);
      }
      first = false;
    }
  }

  private void readFolder(String path) {
    Path folder = Path.of(path.length() == 1 ? "." : path.substring(0, path.length() - 1));
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> jars =
          files.filter(file -> file.toString().toLowerCase(Locale.ROOT).endsWith(".jar")).toList();
      if (jars.isEmpty()) {
        problems.add(new ReadProblem(path, "", "there is no jar in it", false));
      }
      jars.stream().sorted().forEach(jar -> readPath(jar, false, true));
    } catch (IOException e) {
      problems.add(new ReadProblem(path, "", "there is no such folder", true));
    }
  }

  private void readNamed(String path, boolean first) {
    try {
      Path file = Path.of(path);
      if (Files.exists(file)) {
        readPath(file, first || Files.isDirectory(file), true);
      } else {
        problems.add(new ReadProblem(path, "", "there is no such file or directory", true));
      }
    } catch (InvalidPathException e) {
      problems.add(new ReadProblem(path, "", "is not a valid path: " + e.getReason(), true));
    }
  }

  /** Reads a jar or directory; {@code named} is whether the user gave its path. */
  private void readPath(Path file, boolean application, boolean named) {
    if (!seen.add(file.toAbsolutePath().normalize())) {
      return;
    }
    List<FoundArchive> further = new ArrayList<>();
    try (Archive archive =
        Files.isDirectory(file) ? new FolderArchive(file) : new JarFileArchive(file)) {
      ScanResult result = scan(archive, file.toString(), application, 1);
      manifestClassPath(result.manifest(), file)
          .forEach(jar -> further.add(new FoundArchive(jar, false)));
      if (archive instanceof FolderArchive folder) {
        further.addAll(folder.archives(result.contents()));
      }
    } catch (IOException | RuntimeException e) {
      problems.add(new ReadProblem(file.toString(), "", "can't be read: " + reason(e), named));
    }
    further.forEach(found -> readPath(found.file(), found.application(), false));
  }

  /** Jars of a manifest's {@code Class-Path}. Missing jars are ignored, as the JVM does. */
  private static List<Path> manifestClassPath(Attributes manifest, Path file) {
    String classPath = manifest.getValue(Attributes.Name.CLASS_PATH);
    List<Path> jars = new ArrayList<>();
    if (classPath != null) {
      for (String relative : classPath.trim().split("\\s+", -1)) {
        resolve(file, relative).ifPresent(jars::add);
      }
    }
    return jars;
  }

  private static Optional<Path> resolve(Path file, String relative) {
    try {
      return Optional.of(Path.of(file.toUri().resolve(relative))).filter(Files::exists);
    } catch (IllegalArgumentException | FileSystemNotFoundException notAFile) {
      return Optional.empty(); // The JVM ignores it too.
    }
  }

  /** What was found in an archive. */
  private record ScanResult(Attributes manifest, JarContents contents) {}

  /** Reads an archive and its nested archives. */
  private ScanResult scan(Archive archive, String place, boolean application, int depth) {
    archives++;
    Attributes manifest = manifest(archive, place);
    boolean multiRelease = "true".equalsIgnoreCase(manifest.getValue("Multi-Release"));
    boolean enterprise = place.endsWith(".ear");
    JarContents contents = JarContents.of(archive.names(), enterprise, multiRelease ? release : 0);
    contents.inner().forEach(name -> readClass(archive, place, name, true));
    boolean rootIsOwn = application && contents.inner().isEmpty();
    contents.root().forEach(name -> readClass(archive, place, name, rootIsOwn));
    contents.modules().forEach(name -> scanInner(archive, place, name, application, depth));
    contents.libraries().forEach(name -> scanInner(archive, place, name, false, depth));
    if (application || !contents.inner().isEmpty()) {
      readSettings(archive, place);
      String main = manifest.getValue(Attributes.Name.MAIN_CLASS);
      mainClass = mainClass.isEmpty() && main != null ? main.trim() : mainClass;
    }
    return new ScanResult(manifest, contents);
  }

  private Attributes manifest(Archive archive, String place) {
    if (!archive.names().contains(JarContents.MANIFEST)) {
      return new Attributes();
    }
    try {
      byte[] bytes = archive.read(JarContents.MANIFEST);
      return new Manifest(new ByteArrayInputStream(bytes)).getMainAttributes();
    } catch (IOException e) {
      problems.add(
          new ReadProblem(place + "!" + JarContents.MANIFEST, "", "can't be read: " + e, false));
      return new Attributes();
    }
  }

  private void readSettings(Archive archive, String place) {
    for (String name : archive.names()) {
      if (SettingsFile.isSettings(name) && settings.size() < MAX_SETTINGS_FILES) {
        try (InputStream in = archive.open(name)) {
          settings.add(SettingsFile.of(place, name, SettingsFile.bytes(in)));
        } catch (IOException e) {
          problems.add(
              new ReadProblem(place + "!" + name, "", "can't be read: " + reason(e), false));
        }
      }
    }
  }

  private void scanInner(Archive outer, String place, String name, boolean application, int depth) {
    String inner = place + "!" + name;
    if (depth == MAX_NESTING_DEPTH) {
      problems.add(new ReadProblem(inner, "", "archives nested this deep are not read", false));
      return;
    }
    try (InputStream in = outer.open(name);
        Archive archive =
            new NestedJarArchive(
                in, text -> problems.add(new ReadProblem(inner, "", text, false)))) {
      scan(archive, inner, application, depth + 1);
    } catch (IOException e) {
      problems.add(new ReadProblem(inner, "", "can't be read: " + reason(e), false));
    }
  }

  private void readClass(Archive archive, String place, String name, boolean application) {
    try {
      byte[] classFile = archive.read(name);
      ClassShape shape = ClassShapeReader.read(classFile);
      if (classes.containsKey(shape.name()) || shape.name().startsWith(GATE_PACKAGE)) {
        return;
      }
      boolean own = ownership.owns(shape.name(), application);
      MethodCallReader code = own ? MethodCallReader.of(classFile) : MethodCallReader.NOTHING;
      classes.put(shape.name(), new OfflineClass(shape, place, own, code.source(), code.calls()));
    } catch (IOException | RuntimeException e) {
      problems.add(
          new ReadProblem(
              place + (Files.isDirectory(Path.of(place)) ? File.separator : "!") + name,
              className(name),
              "the class file can't be read: " + reason(e),
              false));
    }
  }

  /** The class name that a file's path implies. */
  private static String className(String file) {
    return file.replaceFirst("^(BOOT-INF/classes|WEB-INF/classes|META-INF/versions/\\d+)/", "")
        .replaceFirst("\\.class$", "")
        .replace('/', '.');
  }

  /** Describes a failure. Exceptions of the parser often have no useful message. */
  private static String reason(Exception e) {
    String message = e.getMessage();
    if (message == null || message.indexOf(' ') < 0 || e instanceof IndexOutOfBoundsException) {
      return "it is corrupt (" + e.getClass().getSimpleName() + ")";
    }
    return message;
  }

  /** A jar file on disk. */
  static final class JarFileArchive implements Archive {
    private final ZipFile zip;

    JarFileArchive(Path file) throws IOException {
      zip = new ZipFile(file.toFile());
    }

    @Override
    public List<String> names() {
      return zip.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    }

    @Override
    public InputStream open(String name) throws IOException {
      ZipEntry entry = zip.getEntry(name);
      if (entry == null) {
        throw new NoSuchFileException(name);
      }
      return zip.getInputStream(entry);
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }

  /**
   * A jar inside another archive, stored or deflated. Its classes, manifest, settings and nested
   * archives are held in memory until it is closed.
   */
  static final class NestedJarArchive implements Archive {
    /** Maximum number of bytes read from one nested jar. */
    private static final int MAX_NESTED_JAR_BYTES = 1 << 30;

    private static final int MAX_MAGIC_BYTES = 4;

    private final Map<String, byte[]> files = new LinkedHashMap<>();

    /**
     * Reads the whole jar.
     *
     * @param listener receives a problem if the rest of the jar can't be read; entries before it
     *     are kept
     */
    NestedJarArchive(InputStream source, ReadProblemListener listener) throws IOException {
      BufferedInputStream in = new BufferedInputStream(source);
      in.mark(MAX_MAGIC_BYTES);
      byte[] first = in.readNBytes(2);
      in.reset();
      if (first.length < 2 || first[0] != 'P' || first[1] != 'K') {
        throw new ZipException("it is not a zip file");
      }
      try (ZipInputStream zip = new ZipInputStream(in)) {
        readAll(zip);
      } catch (IOException | IllegalArgumentException e) {
        listener.problemFound("can't be read to the end: " + e.getMessage());
      }
    }

    private void readAll(ZipInputStream zip) throws IOException {
      long left = MAX_NESTED_JAR_BYTES;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName();
        if (Archive.isClassFile(name) || name.equals(JarContents.MANIFEST)) {
          files.put(name, Archive.readLimited(zip));
        } else if (SettingsFile.isSettings(name)) {
          files.put(name, SettingsFile.bytes(zip));
        } else if (Archive.isArchive(name)) {
          files.put(name, zip.readNBytes((int) left));
        } else {
          continue;
        }
        left -= files.get(name).length;
        if (left <= 0) {
          throw new ZipException("it contains more than " + MAX_NESTED_JAR_BYTES + " bytes");
        }
      }
    }

    @Override
    public List<String> names() {
      return List.copyOf(files.keySet());
    }

    @Override
    public InputStream open(String name) throws IOException {
      byte[] bytes = files.get(name);
      if (bytes == null) {
        throw new NoSuchFileException(name);
      }
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public void close() {
      files.clear();
    }
  }

  /** Receives problems found while reading. */
  @FunctionalInterface
  interface ReadProblemListener {
    void problemFound(String text);
  }
}
