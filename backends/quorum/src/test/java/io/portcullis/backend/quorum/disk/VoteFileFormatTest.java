package io.portcullis.backend.quorum.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.machine.HardState;
import io.portcullis.election.store.EpochRange;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a ballot file is decoded exactly as it was encoded, or rejected. */
class VoteFileFormatTest {
  private static final VoteFileFormat FORMAT = new VoteFileFormat("orders/writer", "a");
  private static final List<HardState> BALLOTS =
      List.of(
          HardState.BLANK,
          new HardState(7, "b", Duration.ofSeconds(10)),
          new HardState(7, null, Duration.ofSeconds(10)),
          new HardState(8, HardState.SPENT, Duration.ofMillis(1)),
          new HardState(EpochRange.MAX_EPOCH, "node-9.x_y", Duration.ofNanos(Long.MAX_VALUE)));

  @Test
  void decodeReturnsTheEncodedBallot() throws Exception {
    for (HardState ballot : BALLOTS) {
      assertThat(FORMAT.decode(FORMAT.encode(ballot))).isEqualTo(ballot);
    }
  }

  @Test
  void voteFileIsReadableText() {
    assertThat(new String(FORMAT.encode(BALLOTS.get(1)), UTF_8).lines())
        .startsWith(
            "portcullis-ballot 1",
            "cluster orders/writer",
            "member a",
            "term 7",
            "voted-for b",
            "longest-promise-nanos 10000000000")
        .hasSize(7);
  }

  @Test
  void everyChangeOfASingleByteIsRejected() {
    for (HardState ballot : BALLOTS) {
      byte[] valid = FORMAT.encode(ballot);
      for (int at = 0; at < valid.length; at++) {
        for (int flip = 1; flip < 256; flip++) {
          byte[] invalid = valid.clone();
          invalid[at] ^= (byte) flip;
          assertRejected(invalid, at + " by " + flip);
        }
      }
    }
  }

  @Test
  void truncatedAndExtendedFilesAreRejected() {
    for (HardState ballot : BALLOTS) {
      byte[] valid = FORMAT.encode(ballot);
      for (int length = 0; length < valid.length; length++) {
        assertRejected(Arrays.copyOf(valid, length), "cut at " + length);
        byte[] zeroes = Arrays.copyOf(Arrays.copyOf(valid, length), valid.length);
        assertRejected(zeroes, "zeroes from " + length);
      }
      assertRejected(Arrays.copyOf(valid, valid.length + 1), "a zero at the end");
      byte[] twice = Arrays.copyOf(valid, 2 * valid.length);
      System.arraycopy(valid, 0, twice, valid.length, valid.length);
      assertRejected(twice, "twice");
    }
  }

  /** All with a valid checksum, as after a faulty edit by hand or by a bug. */
  @ParameterizedTest
  @CsvSource({
    "portcullis-ballot 1, portcullis-ballot 2, has format 2 of another version",
    "portcullis-ballot 1, portcullis-ballot x, is not in the exact format of a ballot",
    "portcullis-ballot 1, something else, has no line 'portcullis-ballot'",
    "orders/writer, orders/reader, 'belongs to cluster orders/reader, and this is orders/writer'",
    "member a, member c, 'belongs to member c, and this is a'",
    "term 7, term -7, has a term that can't be right",
    "term 7, term 07, is not in the exact format of a ballot",
    "term 7, term seven, has a term that can't be right",
    "term 7, term 7.5, has a term that can't be right",
    "term 7, term 1e9, has a term that can't be right",
    "term 7, term -9223372036854775808, has a term that can't be right",
    "term 7, term 1000000000000, has a term that can't be right",
    "term 7, term 9007199254740992, has a term that can't be right",
    "term 7, term 9223372036854775807, has a term that can't be right",
    "term 7, term 9223372036854775808, has a term that can't be right",
    "nanos 10000000000, nanos -1, has the negative number -1",
    "voted-for b, not-voted, ''",
    "voted-for b, not-voted b, has no line 'voted-for'",
    "voted-for b, voted-for, has no line 'voted-for'"
  })
  void invalidContentWithValidChecksumIsRejected(String from, String to, String why)
      throws Exception {
    byte[] content =
        withNewChecksum(new String(FORMAT.encode(BALLOTS.get(1)), UTF_8).replace(from, to));

    if (why.isEmpty()) {
      assertThat(FORMAT.decode(content)).isEqualTo(BALLOTS.get(2));
    } else {
      assertThatThrownBy(() -> FORMAT.decode(content))
          .isInstanceOf(VoteFileFormat.MalformedVoteFileException.class)
          .hasMessageContaining(why.replace("''", "'"));
    }
  }

  @Test
  void undecodableBallotIsNotEncoded() {
    List<HardState> impossible =
        List.of(
            new HardState(-1, null, Duration.ZERO),
            new HardState(EpochRange.MAX_EPOCH + 1, null, Duration.ZERO),
            new HardState(Long.MAX_VALUE, null, Duration.ZERO),
            new HardState(1, null, Duration.ofNanos(-1)),
            new HardState(1, "", Duration.ZERO),
            new HardState(1, "a\nb", Duration.ZERO),
            new HardState(1, "a".repeat(20_000), Duration.ZERO));

    for (HardState ballot : impossible) {
      assertThatThrownBy(() -> FORMAT.encode(ballot)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static byte[] withNewChecksum(String text) {
    String body = text.substring(0, text.indexOf("crc32c "));
    CRC32C checksum = new CRC32C();
    checksum.update(body.getBytes(UTF_8));
    return (body + String.format(Locale.ROOT, "crc32c %08x%n", checksum.getValue()))
        .getBytes(UTF_8);
  }

  private static void assertRejected(byte[] bytes, String what) {
    try {
      HardState ballot = FORMAT.decode(bytes);
      throw new AssertionError(what + " was decoded as " + ballot);
    } catch (VoteFileFormat.MalformedVoteFileException e) {
      assertThat(e.why()).as(what).isNotBlank();
    }
  }
}
