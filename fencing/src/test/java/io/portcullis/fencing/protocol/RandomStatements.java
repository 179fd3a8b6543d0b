package io.portcullis.fencing.protocol;

/** Statements of {@link RandomWorkload} for which the driver has no methods. */
final class RandomStatements {
  static final String[] PREPARED = {
    "INSERT INTO w (n) VALUES (?)",
    "INSERT INTO w (n, s) VALUES (?, 'same')",
    "UPDATE w SET n = n + 1 WHERE id % 7 = ?",
    "DELETE FROM w WHERE id % 11 = ?",
    "SELECT * FROM w WHERE n > ? ORDER BY id",
    "SELECT id FROM w WHERE n > ? ORDER BY id FOR UPDATE",
    "SELECT counts() + ?",
    "SELECT puts() + ?",
    "SELECT 1 / (? - 500)",
    "INSERT INTO w (n) SELECT 1 / (? - 500)",
    "INSERT INTO w (n) VALUES (?) RETURNING id",
    "WITH d AS (DELETE FROM w WHERE id % 13 = ? RETURNING id) SELECT count(*) FROM d",
  };

  static final String[] TEXTS = {
    "INSERT INTO w (n) VALUES (1)",
    "INSERT INTO w (n) VALUES (2); SELECT count(*) FROM w",
    "INSERT INTO w (n) VALUES (3); INSERT INTO w (n) VALUES (1000)",
    "SELECT 1; SELECT puts(); SELECT 2",
    "SELECT 1 / 0; INSERT INTO w (n) VALUES (4)",
    "INSERT INTO w (n) VALUES (1000)",
    "SELECT counts()",
    "SELECT puts()",
    "SELECT broken FROM",
    "SELECT * FROM nowhere",
    "SELECT repeat('x', 20000)",
    "SELECT repeat('x', 5000) FROM generate_series(1, 20)",
    "SELECT i FROM generate_series(1, 3000) i",
    "",
    ";",
    "SET TRANSACTION READ ONLY",
    "SET LOCAL application_name = 'random'",
    "SET application_name = 'work'",
    "SAVEPOINT a",
    "ROLLBACK TO a",
    "RELEASE a",
    "BEGIN",
    "START TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "COMMIT",
    "ROLLBACK",
    "COMMIT AND CHAIN",
    "ROLLBACK AND CHAIN",
    "DEALLOCATE ALL",
    "DISCARD PLANS",
    "DISCARD ALL",
    "RESET ALL",
    "PREPARE p AS INSERT INTO w (n) VALUES (5)",
    "EXECUTE p",
    "DEALLOCATE p",
    "CALL commits()",
    "DO $$BEGIN INSERT INTO w (n) VALUES (6); END$$",
    "CREATE TEMP TABLE IF NOT EXISTS tmp (n int)",
    "ALTER TABLE w ADD COLUMN IF NOT EXISTS c int",
    "ALTER TABLE w DROP COLUMN IF EXISTS c",
    "TRUNCATE w",
    "SET LOCAL statement_timeout = '10ms'; SELECT pg_sleep(2)",
    "DO $$BEGIN RAISE NOTICE 'heard'; END$$",
    "COPY w (n) FROM STDIN",
    "COPY (SELECT 1) TO STDOUT",
  };

  static final String[] BATCHED = {
    "INSERT INTO w (n) VALUES (7)",
    "UPDATE w SET n = 8 WHERE id % 5 = 0",
    "INSERT INTO w (n) VALUES (1000)",
    "SELECT puts()",
    "DELETE FROM w WHERE id % 17 = 0",
    "SAVEPOINT b",
    "SET LOCAL application_name = 'batch'",
    "DEALLOCATE ALL",
  };

  private RandomStatements() {}
}
