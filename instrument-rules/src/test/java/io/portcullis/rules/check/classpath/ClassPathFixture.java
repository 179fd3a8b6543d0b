package io.portcullis.rules.check.classpath;

import io.portcullis.testsupport.SourceCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Creates applications for the check: compiles sources and packs the classes. */
public final class ClassPathFixture {
  private final Path folder;
  private int count;

  public ClassPathFixture(Path folder) {
    this.folder = folder;
  }

  /** Compiles sources that each begin with their package; returns the directory of the classes. */
  public Path compile(String... sources) {
    return compile(List.of(), sources);
  }

  /** The same, with additional classes to compile against. */
  public Path compile(List<Path> against, String... sources) {
    Path classes = next("classes");
    SourceCompiler.withClassPath(against).compileTexts(List.of(sources), classes);
    return classes;
  }

  /** Every file below a directory, by its name in an archive. */
  public static Map<String, byte[]> files(Path directory, String prefix) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        files.put(
            prefix + directory.relativize(file).toString().replace('\\', '/'),
            Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /** Packs files into an archive on disk. */
  public Path pack(String name, Map<String, byte[]> files) {
    try {
      return Files.write(next("packed").resolve(name), bytes(files, true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An archive, its files deflated or stored. */
  public static byte[] bytes(Map<String, byte[]> files, boolean deflated) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        if (!deflated) {
          CRC32 crc = new CRC32();
          crc.update(file.getValue());
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(file.getValue().length);
          entry.setCrc(crc.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(file.getValue());
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** A manifest with these lines. */
  public static byte[] manifest(String... lines) {
    return ("Manifest-Version: 1.0\n" + String.join("\n", lines) + "\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private Path next(String kind) {
    try {
      return Files.createDirectories(folder.resolve(kind + count++));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
