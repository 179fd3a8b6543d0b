package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Table and functions of a fence as documented, which are those that the agent installs. */
final class DocumentedFenceSql {
  /** Takes the fence's lock as an installer does. */
  static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence:orders:writer', 0))";

  private static final Path PAGE = Path.of("..", "docs", "fencing.md");
  private static final Pattern FENCE =
      Pattern.compile("```sql\\n.*?(CREATE TABLE .*?)ALTER TABLE .*?```", Pattern.DOTALL);

  private DocumentedFenceSql() {}

  /** Creates {@code fences.fence} and its functions, with epoch 7 of node-a. */
  static String sql() {
    return "CREATE SCHEMA fences;"
        + documented()
        + "INSERT INTO fences.fence VALUES ('orders:writer', 7, 'node-a', now());";
  }

  private static String documented() {
    try {
      Matcher block = FENCE.matcher(Files.readString(PAGE));
      assertThat(block.find()).isTrue();
      return block.group(1).replace("\"portcullis\".\"portcullis_fence", "\"fences\".\"fence");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
