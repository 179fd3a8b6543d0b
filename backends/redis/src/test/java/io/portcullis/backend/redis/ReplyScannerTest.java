package io.portcullis.backend.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.portcullis.backend.redis.ReplyLimitHandler.InvalidReplyException;
import io.portcullis.backend.redis.ReplyLimitHandler.ReplyScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyScannerTest {
  private static final String REPLIES =
      "+OK|:12|$-1|*-1|*0|$0||$4|a|b|-ERR no|*3|$1|x|*2|:1|*1|+y|:2|".replace("|", "\r\n");
  private static final int REPLY_COUNT = 9;

  private final ReplyScanner scanner = new ReplyScanner();

  private void scan(String text) throws InvalidReplyException {
    scanner.scan(Unpooled.wrappedBuffer(text.getBytes(UTF_8)));
  }

  @Test
  void countsRepliesWhereverTheyAreSplit() throws InvalidReplyException {
    for (int size = 1; size <= REPLIES.length(); size++) {
      ReplyScanner split = new ReplyScanner();
      for (int at = 0; at < REPLIES.length(); at += size) {
        String part = REPLIES.substring(at, Math.min(REPLIES.length(), at + size));
        split.scan(Unpooled.wrappedBuffer(part.getBytes(UTF_8)));
      }
      assertThat(split.begun).as("parts of %d bytes", size).isEqualTo(REPLY_COUNT);
      assertThat(split.ended).as("parts of %d bytes", size).isEqualTo(REPLY_COUNT);
    }
  }

  @Test
  void replyIsCompleteOnlyAtItsLastByte() throws InvalidReplyException {
    scan("*2\r\n$3\r\nabc\r\n:5\r");
    assertThat(scanner.begun).isEqualTo(1);
    assertThat(scanner.ended).isZero();

    scan("\n");
    assertThat(scanner.ended).isEqualTo(1);
  }

  @Test
  void limitsApplyToEachReplySeparately() throws InvalidReplyException {
    for (int i = 0; i < 100; i++) {
      scan("*200\r\n" + "$3\r\nabc\r\n".repeat(200));
    }
    assertThat(scanner.ended).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({
    "$262145, length 262145",
    "$-2, length -2",
    "*99999999999, not a number",
    "$1x, not a number",
    "$--1, not a number",
    "$, length 0",
    "%1, not RESP 2",
    "HTTP/1.1 200 OK, not RESP 2"
  })
  void refusesAnInvalidHead(String head, String why) {
    assertThatThrownBy(() -> scan(head + "\r\n"))
        .isInstanceOf(InvalidReplyException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*1\r\n", "*2\r\n:1\r\n"})
  void refusesDeepNesting(String list) {
    assertThatThrownBy(() -> scan(list.repeat(ReplyScanner.MAX_NESTING + 1)))
        .isInstanceOf(InvalidReplyException.class)
        .hasMessageContaining("nested");
  }

  @Test
  void refusesManyPartsAndLongLines() {
    int parts = ReplyScanner.MAX_REPLY_PARTS;
    assertThatThrownBy(() -> scan("*" + parts + "\r\n" + ":1\r\n".repeat(parts)))
        .hasMessageContaining("too long");
    assertThatThrownBy(
            () ->
                new ReplyScanner()
                    .scan(
                        Unpooled.wrappedBuffer(
                            ("+" + "x".repeat(ReplyScanner.MAX_REPLY_BYTES)).getBytes(UTF_8))))
        .hasMessageContaining("too long");
  }
}
