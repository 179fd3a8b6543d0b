package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Table and functions of a fence. {@code fence.sql} is a copy of what the Postgres backend
 * installs, on which this module does not depend; a test of that backend compares them.
 */
final class FenceSql {
  /** Takes the fence's lock like an installer. */
  static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence:orders:writer', 0))";

  private FenceSql() {}

  /** Creates {@code fences.fence} with its functions, under epoch 7 of node-a. */
  static String sql() {
    return "CREATE SCHEMA fences;"
        + copy().replace("\"portcullis\".\"portcullis_fence", "\"fences\".\"fence")
        + "INSERT INTO fences.fence VALUES ('orders:writer', 7, 'node-a', now());";
  }

  private static String copy() {
    try (InputStream in = FenceSql.class.getResourceAsStream("fence.sql")) {
      return new String(
          Objects.requireNonNull(in, "fence.sql").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
