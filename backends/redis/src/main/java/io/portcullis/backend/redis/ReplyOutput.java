package io.portcullis.backend.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects a reply without conversion: a string, a {@link Long}, a list of these, or null.
 * Lettuce's own outputs convert; for example, they return a string as a list of one.
 *
 * <p>It grows with the parts that arrive; a length that the server announces reserves no memory.
 */
final class ReplyOutput extends CommandOutput<String, String, @Nullable Object> {
  private final Deque<OpenList> open = new ArrayDeque<>();

  /** A list whose parts are still arriving. */
  private static final class OpenList {
    final List<@Nullable Object> parts = new ArrayList<>();
    int missing;

    OpenList(int missing) {
      this.missing = missing;
    }
  }

  ReplyOutput() {
    super(StringCodec.UTF8, null);
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    add(bytes == null ? null : decodeString(bytes));
  }

  @Override
  public void set(long integer) {
    add(integer);
  }

  @Override
  public void multi(int count) {
    if (count > 0) {
      open.push(new OpenList(count));
    } else {
      add(count < 0 ? null : List.of());
    }
  }

  private void add(@Nullable Object part) {
    Object value = part;
    while (!open.isEmpty()) {
      OpenList list = open.element();
      list.parts.add(value);
      list.missing--;
      if (list.missing > 0) {
        return;
      }
      open.pop();
      value = list.parts;
    }
    output = value;
  }
}
