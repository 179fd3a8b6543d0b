package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMessage.Probe;
import io.portcullis.backend.quorum.machine.QuorumMessage.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A member without a ballot: a new one, or one whose disk was lost. It may have voted and promised
 * before, so it must not do either until that can do no harm.
 *
 * <ul>
 *   <li>If every other member has taken part in nothing, and says so on its present link with this
 *       process, nobody was ever elected: it begins at once.
 *   <li>Else it waits for the longest lease, so that any promise of its has ended, and so that
 *       every round that may have its vote is over. Then it asks anew. Any majority that it was
 *       part of has a member among so many others who keep their ballots; so it takes part only
 *       above the highest term they know.
 *   <li>If after that wait as many answer and none of them has taken part in anything, the election
 *       is new although not all members are there.
 * </ul>
 *
 * <p>The wait counts for each of the others from its first answer on the present link. A member has
 * links with one process of another at a time: so for the whole wait it has promised nothing to,
 * and heard no promise of, another process that is this member too, by mistake or from before.
 */
final class RecoveringMember {
  /** How often to ask members that have not answered. */
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

  private final QuorumConfig config;
  private final Map<Integer, Contact> contacts = new TreeMap<>();
  private Duration wait;
  private long nextProbeNanos;
  private long highestTerm;

  /** What another member has told since the newest link with it came up. */
  private static final class Contact {
    /** Of the first question on this link. */
    final long firstSequence;

    /** When its first answer came; null before. */
    @Nullable Long sinceNanos;

    /** Of the first question since the wait was over; null before. */
    @Nullable Long firstCounted;

    /** Its answer to such a question; null before. */
    @Nullable Report counted;

    /** Whether it has taken part in nothing. */
    boolean blank;

    Contact(long firstSequence) {
      this.firstSequence = firstSequence;
    }
  }

  RecoveringMember(QuorumConfig config, MemberStepContext now) {
    this.config = config;
    this.nextProbeNanos = now.nanos();
    this.wait = longer(config.lease(), config.longestLease());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** A lease longer than any known: such a one may have been promised. */
  void hear(long term, Duration lease) {
    highestTerm = Math.max(highestTerm, term);
    wait = longer(wait, lease);
  }

  /** There is a new link with this member: what it said before is forgotten, and it is asked. */
  void linked(int member, MemberState seat) {
    Probe first = new Probe(seat.nextSequence());
    contacts.put(member, new Contact(first.sequence()));
    seat.send(member, first);
  }

  void unlinked(int member) {
    contacts.remove(member);
  }

  /** Whether it is time to ask again. */
  boolean wantsToProbe(MemberStepContext now) {
    if (!now.hasReached(wakeAtNanos())) {
      return false;
    }
    nextProbeNanos = now.plus(PROBE_INTERVAL);
    return true;
  }

  /** Asks those members whose answer is wanted. */
  void probe(MemberState seat, MemberStepContext now) {
    long sequence = seat.nextSequence();
    contacts.forEach(
        (member, contact) -> {
          if (contact.firstCounted == null && hasWaited(contact, now)) {
            contact.firstCounted = sequence;
          }
          if (isMissed(contact)) {
            seat.send(member, new Probe(sequence));
          }
        });
  }

  private boolean hasWaited(Contact contact, MemberStepContext now) {
    return contact.sinceNanos != null && now.hasReached(contact.sinceNanos + wait.toNanos());
  }

  private static boolean isMissed(Contact contact) {
    return contact.firstCounted == null
        ? !contact.blank
        : contact.counted == null || !contact.counted.voter();
  }

  /** What it may begin with after this report to this process; null if it must go on learning. */
  @Nullable HardState onReport(int from, Report report, MemberStepContext now) {
    hear(report.term(), Duration.ofMillis(report.leaseMillis()));
    waitLonger(now);
    Contact contact = contacts.get(from);
    if (contact == null || report.sequence() - contact.firstSequence < 0) {
      return null; // From before this link.
    }
    if (contact.sinceNanos == null) {
      contact.sinceNanos = now.nanos();
    }
    contact.blank |= report.term() == 0;
    if (contact.firstCounted != null && report.sequence() - contact.firstCounted >= 0) {
      contact.counted = report;
    }
    if (config.trustsBlank() && isEverybodyBlank()) {
      return HardState.BLANK; // Whoever was elected meanwhile was so without this member's vote.
    }
    return afterTheWait();
  }

  private boolean isEverybodyBlank() {
    return contacts.size() == config.size() - 1
        && contacts.values().stream().allMatch(contact -> contact.blank);
  }

  /** A longer lease that is heard of only now makes the wait begin to count anew. */
  private void waitLonger(MemberStepContext now) {
    for (Contact contact : contacts.values()) {
      if (!hasWaited(contact, now)) {
        contact.firstCounted = null;
        contact.counted = null;
      }
    }
  }

  private @Nullable HardState afterTheWait() {
    List<Report> reports = counted();
    long voters = reports.stream().filter(Report::voter).count();
    if (highestTerm > 0 && voters >= config.witnessesOfAnyMajority()) {
      return new HardState(highestTerm, HardState.SPENT, Duration.ZERO);
    }
    boolean allBlank = reports.stream().allMatch(report -> report.term() == 0);
    return highestTerm == 0 && allBlank && reports.size() >= config.witnessesOfAnyMajority()
        ? HardState.BLANK
        : null;
  }

  private List<Report> counted() {
    return contacts.values().stream()
        .map(contact -> contact.counted)
        .filter(Objects::nonNull)
        .toList();
  }

  /** The next question, or the end of a wait, which is a reason to ask. */
  long wakeAtNanos() {
    long next = nextProbeNanos;
    for (Contact contact : contacts.values()) {
      if (contact.sinceNanos != null && contact.firstCounted == null) {
        long waitOver = contact.sinceNanos + wait.toNanos();
        next = waitOver - next < 0 ? waitOver : next;
      }
    }
    return next;
  }

  /** Why it does not vote yet. */
  String why() {
    int needed = config.witnessesOfAnyMajority();
    List<String> silent = new ArrayList<>();
    List<String> without = new ArrayList<>();
    for (int member = 0; member < config.size(); member++) {
      Contact contact = contacts.get(member);
      if (member == config.self()) {
        continue;
      }
      if (contact == null || contact.sinceNanos == null) {
        silent.add(config.members().get(member));
      } else if (contact.counted != null && !contact.counted.voter()) {
        without.add(config.members().get(member));
      }
    }
    String missing = silent.isEmpty() ? "" : "; not heard from " + String.join(", ", silent);
    if (config.size() - 1 - silent.size() < needed) {
      String ballots = highestTerm > 0 ? " that have one" : "";
      return "this member has no saved vote and must hear from "
          + needed
          + " others"
          + ballots
          + missing;
    }
    return without.isEmpty()
        ? "this member has no saved vote; it waits a lease and asks the others before it votes"
            + missing
        : "this member has no saved vote and must hear from "
            + needed
            + " others that have one; "
            + String.join(", ", without)
            + (without.size() == 1 ? " has" : " have")
            + " none either"
            + missing;
  }
}
