package io.portcullis.servers;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** A copy of a running server's files from which a replica can start. */
record PostgresBackup(PostgresAddress primary, Path files)
    implements LocalPostgres.DataDirectorySource {
  /** Folders whose content is only useful to the running server, or is replicated. */
  private static final Set<String> EMPTIED =
      Set.of("pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_subtrans");

  /** First version with the current names of the backup functions. */
  private static final int RENAMED_IN = 15;

  private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts");

  @Override
  public void copyTo(Path data) throws IOException {
    // A backup belongs to the session that started it, and ends with it.
    try (Connection session = primary.connect()) {
      boolean renamed = session.getMetaData().getDatabaseMajorVersion() >= RENAMED_IN;
      PostgresAddress.firstValue(
          session,
          renamed
              ? "SELECT pg_backup_start('replica', fast => true)"
              : "SELECT pg_start_backup('replica', true, false)");
      TempFolders.copy(files, data, PostgresBackup::isLeftOut);
      String label =
          PostgresAddress.firstValue(
              session,
              renamed
                  ? "SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)"
                  : "SELECT labelfile FROM pg_stop_backup(false, false)");
      Files.writeString(data.resolve("backup_label"), label);
    } catch (SQLException e) {
      throw new IOException("no backup of Postgres at " + primary, e);
    }
    Files.createFile(data.resolve("standby.signal"));
    Files.write(
        data.resolve("postgresql.conf"),
        List.of(
            "primary_conninfo = 'host=%s port=%d user=%s'"
                .formatted(primary.host(), primary.port(), PostgresAddress.USER),
            // Once promoted it must not wait for the primary's replicas.
            "synchronous_standby_names = ''"),
        APPEND);
  }

  private static boolean isLeftOut(Path file) {
    return LEFT_OUT.contains(file.toString()) || EMPTIED.contains(file.getName(0).toString());
  }
}
