package io.portcullis.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * An empty database, and the binary that created it. A JVM creates it once per version and copies
 * it for each of its servers. The binary is extracted once per machine, below its folder of
 * temporary files.
 */
record PostgresTemplate(Path data, Path binary) {
  private static final Duration INIT_TIMEOUT = Duration.ofMinutes(2);

  private static final Map<PgBinaryResolver, PostgresTemplate> MADE = new ConcurrentHashMap<>();

  /** Template of the version that this module depends on. */
  static PostgresTemplate made() {
    return MADE.computeIfAbsent(DefaultPostgresBinaryResolver.INSTANCE, PostgresTemplate::make);
  }

  /** Template of the version in an artifact's file. */
  static PostgresTemplate madeOf(Path artifact) {
    return MADE.computeIfAbsent(new Artifact(artifact), PostgresTemplate::make);
  }

  /** A file with the binaries for one platform. */
  private record Artifact(Path file) implements PgBinaryResolver {
    @Override
    public InputStream getPgBinary(String system, String machine) throws IOException {
      String name = "postgres-%s-%s.txz".formatted(system, machine).toLowerCase(Locale.ROOT);
      try (ZipFile zip = new ZipFile(file.toFile())) {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
          throw new IOException(file + " holds no " + name);
        }
        return new ByteArrayInputStream(zip.getInputStream(entry).readAllBytes());
      }
    }
  }

  void copyTo(Path target) throws IOException {
    TempFolders.copy(data, target, file -> file.startsWith("epg-lock"));
  }

  /**
   * Builds a command that is not run by root, which Postgres refuses: root runs it in a user
   * namespace in which it is not root.
   */
  List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    if (LinuxUtils.isUnshareAvailable()) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(binary.toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static PostgresTemplate make(PgBinaryResolver binaries) {
    Path folder = TempFolders.create("postgres-template");
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> endAndTidy(folder), "postgres-template-end"));
    Path data = folder.resolve("data");
    LogFile log = new LogFile(folder.resolve("initdb.log"));
    try {
      EmbeddedPostgres.builder()
          .setPgBinaryResolver(binaries)
          .setDataDirectory(data)
          .setCleanDataDirectory(false)
          .setLocaleConfig("locale", "C")
          .setServerConfig("unix_socket_directories", "")
          .setOutputRedirector(log.redirect())
          .setErrorRedirector(log.redirect())
          .setPGStartupWait(INIT_TIMEOUT)
          .start()
          .close();
      return new PostgresTemplate(data, binaryOf(data));
    } catch (IOException | IllegalStateException e) {
      String said = log.end();
      endAndTidy(folder);
      throw new IllegalStateException("no Postgres for this machine: " + said, e);
    }
  }

  /**
   * Ends and deletes the template. A JVM may end while it is being created: then processes still
   * write to it.
   */
  private static void endAndTidy(Path folder) {
    ProcessHandle.current()
        .descendants()
        .filter(process -> process.info().commandLine().orElse("").contains(folder.toString()))
        .forEach(ProcessHandle::destroyForcibly);
    TempFolders.delete(folder);
  }

  /** Reads the server's command from the file: its path, then each argument in quotes. */
  private static Path binaryOf(Path data) throws IOException {
    if (Files.exists(data.resolve("postmaster.pid"))) {
      throw new IllegalStateException("the server that made the template did not end");
    }
    String command = Files.readString(data.resolve("postmaster.opts"), UTF_8);
    return Path.of(command.substring(0, command.indexOf(" \"")));
  }
}
