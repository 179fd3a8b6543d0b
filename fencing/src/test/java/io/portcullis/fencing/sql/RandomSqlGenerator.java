package io.portcullis.fencing.sql;

import java.util.List;
import java.util.Random;

/**
 * Generates SQL from the tokens of several dialects, most with a change hidden in it: after a
 * semicolon, or in what only some dialects treat as a comment, a literal or a name.
 */
final class RandomSqlGenerator {
  /** Each of them, after a semicolon, changes what a {@link ChangeDetector} sees on some server. */
  static final List<String> CHANGES =
      List.of(
          "DELETE FROM t",
          "INSERT INTO t VALUES (7)",
          "UPDATE t SET n = n + 1",
          "SELECT 1 AS n INTO t2",
          "CREATE TABLE t2 (n int)",
          "DROP TABLE t3",
          "TRUNCATE TABLE t",
          "SELECT nextval('s')",
          "SELECT NEXT VALUE FOR s",
          "SELECT setval('s', 50)",
          "SELECT lo_create(0)",
          "REPLACE INTO t VALUES (7)",
          "REPLACE t VALUES (7)",
          "EXPLAIN ANALYZE DELETE FROM t",
          "EXPLAIN ANALYZE\u00a0DELETE FROM t",
          "WITH x AS (SELECT 7 AS n) INSERT INTO t SELECT n FROM x",
          "\u0131nsert \u0131nto t values (7)",
          "SET STATEMENT max_statement_time = 9 FOR REPLACE t VALUES (7)",
          "COMMIT PREPARED 'x'",
          "ROLLBACK PREPARED 'x'",
          "SELECT n FROM t INTO OUTFILE 'rows'",
          "SELECT 1 INTO OUTFILE 'rows'",
          "COPY t FROM PROGRAM 'echo 7'",
          "CALL bump()",
          "{call bump()}",
          "SET PASSWORD FOR probe = PASSWORD('y')",
          "SET GLOBAL long_query_time = 7",
          "SET @@GLOBAL.long_query_time = 7",
          "SELECT s.nextval",
          "SELECT s.\"NEXTVAL\"",
          "SELECT lo_unlink(4711)",
          "SET MODE Derby",
          "SELECT * FROM FINAL TABLE(INSERT INTO t VALUES (7))");

  private static final String[] BEGINNINGS = {
    "SELECT 1",
    "SELECT n FROM t",
    "SELECT 1e5",
    "SELECT 1.",
    "SELECT '{}'",
    "VALUES (1)",
    "TABLE t",
    "WITH x AS (SELECT 1 AS n)",
    "WITH x AS (SELECT 1 AS n) SELECT n FROM x",
    "EXPLAIN SELECT 1",
    "EXPLAIN",
    "SHOW x",
    "DESC t",
    "COMMIT",
    "SET",
    "SET @a = 1",
    "ROLLBACK",
    "ROLLBACK TO SAVEPOINT a",
    "USE probe",
    "PRAGMA user_version",
    "RESET ALL",
    "RESET",
    "SAVEPOINT a",
    "RELEASE SAVEPOINT a",
    "COPY t TO STDOUT",
    "COPY t",
    "LISTEN x",
    "SELECT n FROM t FOR",
    "(SELECT 1)",
    "",
  };

  private static final String[] PIECES = {
    "#",
    "#>",
    "#>>",
    "#-",
    "@",
    "?",
    "::",
    ":=",
    "||",
    "->",
    "->>",
    "/",
    "//",
    "-",
    "--",
    "-- ",
    "--\t",
    "--1",
    "/*",
    "*/",
    "/* ",
    " */",
    "/*!",
    "/*M!",
    "/*!50000 ",
    "/*M!100000 ",
    "/*+",
    "/*/",
    "'",
    "\"",
    "`",
    "[",
    "]",
    "]]",
    "\\",
    "\\'",
    "\\\"",
    "''",
    "\"\"",
    "``",
    "$$",
    "$a$",
    "$1",
    "$",
    "q'[",
    "]'",
    "E'",
    "e'",
    "N'",
    "U&'",
    "U&\"",
    "X'",
    "1",
    "1e5",
    "2e-3",
    ".5",
    "1.",
    "0x1F",
    "1_0",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\f",
    "\u000b",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\u0131",
    "\u017f",
    ";",
    "; ",
    "(",
    ")",
    ",",
    "{fn ",
    "}",
    "NULL",
    "x",
    "AS",
    "FROM t",
    "INTO t2",
    "into t2 from t",
    "FROM PROGRAM 'echo 7'",
    "INTO OUTFILE 'rows'",
    "PREPARED 'x'",
    "FORCE",
    "WORK",
    "GLOBAL",
    "UPDATE",
    "n",
    "\u00e4",
    "+",
    "*",
    "=",
    "<",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "a$b",
  };

  private static final int MAX_PIECES = 5;

  private final Random random;

  RandomSqlGenerator(long seed) {
    this.random = new Random(seed);
  }

  String next() {
    StringBuilder text = new StringBuilder(pick(BEGINNINGS));
    addPieces(text);
    if (random.nextInt(4) > 0) {
      text.append(random.nextInt(3) > 0 ? ";" : " ");
      text.append(CHANGES.get(random.nextInt(CHANGES.size())));
    }
    addPieces(text);
    return text.toString();
  }

  private void addPieces(StringBuilder text) {
    for (int i = random.nextInt(MAX_PIECES + 1); i > 0; i--) {
      text.append(random.nextBoolean() ? " " : "").append(pick(PIECES));
    }
  }

  private String pick(String[] from) {
    return from[random.nextInt(from.length)];
  }
}
