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
 * The file format of a ballot: human-readable text that begins with the names of its cluster and
 * member and ends with a checksum. Each ballot has exactly one valid encoding: a file that differs
 * from it in a single byte is rejected.
 *
 * @param cluster the cluster of the election
 * @param member the member that owns the ballot
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

  /** Maximum length of a file, far above that of any ballot, since names are short. */
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
    byte[] file = (text + CHECKSUM + checksum(text.getBytes(UTF_8)) + "\n").getBytes(UTF_8);
    if (file.length > MAX_BYTES) {
      throw new IllegalArgumentException("names too long: " + ballot);
    }
    return file;
  }

  /**
   * Decodes a ballot.
   *
   * @throws MalformedVoteFileException if the bytes are not a ballot of this member; the message is
   *     the rest of a sentence that begins with the file's name
   */
  HardState decode(byte[] bytes) throws MalformedVoteFileException {
    Iterator<String> lines = new String(bytes, UTF_8).lines().iterator();
    String format = after(TITLE, lines);
    if (!format.equals(FORMAT) && format.matches("[0-9]{1,9}")) {
      throw new MalformedVoteFileException(
          "has format " + format + " of another version of Portcullis; this one reads " + FORMAT);
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
      throw new MalformedVoteFileException("is not in the exact format of a ballot");
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
          "does not match its checksum, so it is damaged or was edited");
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
      throw new MalformedVoteFileException("has '" + digits + "' where a number is expected");
    }
    throw new MalformedVoteFileException("has the negative number " + digits);
  }

  private static String after(String name, Iterator<String> lines)
      throws MalformedVoteFileException {
    return after(name, next(lines));
  }

  private static String after(String name, String line) throws MalformedVoteFileException {
    if (!line.startsWith(name) || line.length() == name.length()) {
      throw new MalformedVoteFileException(
          "has no line '" + name.strip() + "' where it is expected");
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
      throw new IllegalArgumentException("invalid name: '" + name + "'");
    }
    return name;
  }

  /** Thrown if a file is not a ballot of this member; the message states the reason. */
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
