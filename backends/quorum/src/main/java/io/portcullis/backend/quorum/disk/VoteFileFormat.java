package io.portcullis.backend.quorum.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.backend.quorum.machine.HardState;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A ballot as text that a person can read, with whose it is in front and a checksum at the end.
 * There is one way to write each ballot: whatever differs from it by a single byte is spoilt.
 *
 * @param cluster whose election this is
 * @param member whose ballot this is
 */
record VoteFileFormat(String cluster, String member) {
  private static final String TITLE = "portcullis-ballot ";
  private static final String FORMAT = "1";
  private static final String CLUSTER = "cluster ";
  private static final String MEMBER = "member ";
  private static final String TERM = "term ";
  private static final String VOTED = "voted-for ";
  private static final String NOT_VOTED = "not-voted";
  private static final String PROMISE = "longest-promise-nanos ";
  private static final String CHECKSUM = "crc32c ";
  private static final int LENGTH_OF_LAST_LINE = CHECKSUM.length() + 8 + 1;

  /** Longer than any ballot: names are short. */
  static final int MAX_BYTES = 16 * 1024;

  VoteFileFormat {
    requireOneLine(cluster);
    requireOneLine(member);
  }

  byte[] encode(HardState ballot) {
    EpochRange.check(ballot.term());
    if (ballot.longestPromise().isNegative()) {
      throw new IllegalArgumentException("negative: " + ballot);
    }
    String vote = ballot.votedFor();
    String text =
        String.join(
            "\n",
            TITLE + FORMAT,
            CLUSTER + cluster,
            MEMBER + member,
            TERM + ballot.term(),
            vote == null ? NOT_VOTED : VOTED + requireOneLine(vote),
            PROMISE + ballot.longestPromise().toNanos(),
            "");
    byte[] sealed = (text + CHECKSUM + checksum(text.getBytes(UTF_8)) + "\n").getBytes(UTF_8);
    if (sealed.length > MAX_BYTES) {
      throw new IllegalArgumentException("names too long: " + ballot);
    }
    return sealed;
  }

  /** The ballot, or {@link MalformedVoteFileException} with half a sentence that says why not. */
  HardState decode(byte[] bytes) throws MalformedVoteFileException {
    Iterator<String> lines = new String(bytes, UTF_8).lines().iterator();
    String format = after(TITLE, lines);
    if (!format.equals(FORMAT) && format.matches("[0-9]{1,9}")) {
      throw new MalformedVoteFileException(
          "has format " + format + " of another version of Portcullis, this one knows " + FORMAT);
    }
    checkSum(bytes);
    String ofCluster = after(CLUSTER, lines);
    if (!ofCluster.equals(cluster)) {
      throw new MalformedVoteFileException(
          "belongs to cluster " + ofCluster + ", and this is " + cluster);
    }
    String ofMember = after(MEMBER, lines);
    if (!ofMember.equals(member)) {
      throw new MalformedVoteFileException(
          "belongs to member " + ofMember + ", and this is " + member);
    }
    long term = term(after(TERM, lines));
    String vote = vote(lines);
    Duration promise = Duration.ofNanos(number(after(PROMISE, lines)));
    HardState ballot = new HardState(term, vote, promise);
    if (!Arrays.equals(encode(ballot), bytes)) {
      throw new MalformedVoteFileException("is not written as a ballot is");
    }
    return ballot;
  }

  private static void checkSum(byte[] bytes) throws MalformedVoteFileException {
    int end = bytes.length - LENGTH_OF_LAST_LINE;
    if (end < 0) {
      throw new MalformedVoteFileException("is cut off");
    }
    String last = new String(bytes, end, LENGTH_OF_LAST_LINE, UTF_8);
    if (!last.startsWith(CHECKSUM) || !last.endsWith("\n")) {
      throw new MalformedVoteFileException(
          "has no checksum at its end, so it is cut off or damaged");
    }
    if (!last.strip().equals(CHECKSUM + checksum(Arrays.copyOf(bytes, end)))) {
      throw new MalformedVoteFileException(
          "does not fit its checksum, so it is damaged or was edited");
    }
  }

  private static @Nullable String vote(Iterator<String> lines) throws MalformedVoteFileException {
    String line = next(lines);
    return line.equals(NOT_VOTED) ? null : after(VOTED, line);
  }

  private static long term(String digits) throws MalformedVoteFileException {
    try {
      return EpochRange.parse(digits);
    } catch (EpochRangeException e) {
      throw new MalformedVoteFileException("has a term that can't be right: " + e.getMessage());
    }
  }

  private static long number(String digits) throws MalformedVoteFileException {
    try {
      long number = Long.parseLong(digits);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new MalformedVoteFileException("has '" + digits + "' where a number must be");
    }
    throw new MalformedVoteFileException("has the negative number " + digits);
  }

  private static String after(String name, Iterator<String> lines)
      throws MalformedVoteFileException {
    return after(name, next(lines));
  }

  private static String after(String name, String line) throws MalformedVoteFileException {
    if (!line.startsWith(name) || line.length() == name.length()) {
      throw new MalformedVoteFileException("has no line '" + name.strip() + "' where it must be");
    }
    return line.substring(name.length());
  }

  private static String next(Iterator<String> lines) throws MalformedVoteFileException {
    if (!lines.hasNext()) {
      throw new MalformedVoteFileException("is cut off");
    }
    return lines.next();
  }

  private static String checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return String.format(Locale.ROOT, "%08x", sum.getValue());
  }

  private static String requireOneLine(String name) {
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("no name: '" + name + "'");
    }
    return name;
  }

  /** Why these bytes are no ballot of this member. */
  static final class MalformedVoteFileException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedVoteFileException(String why) {
      super(why);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }
}
