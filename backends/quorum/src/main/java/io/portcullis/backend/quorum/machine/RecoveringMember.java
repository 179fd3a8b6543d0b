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
 * State of a member without a ballot: a new member, or one whose disk was lost. It may have voted
 * and promised before, so it must do neither until that is harmless.
 *
 * <ul>
 *   <li>If every other member reports, on its current connection with this process, that it has not
 *       taken part in any term, no leader was ever elected: this member starts at once.
 *   <li>Otherwise it waits for the longest lease, so that every promise it may have given has
 *       expired and every round that may have its vote is over. Then it asks again. It needs
 *       reports from {@link QuorumConfig#witnessesOfAnyMajority} other members that keep their
 *       ballots: any majority that it was part of includes one of them. It takes part only above
 *       the highest term they report.
 *   <li>If after that wait as many members reply and none of them has taken part in any term, the
 *       election is new although not all members are present.
 * </ul>
 *
 * <p>The wait counts separately for each other member, from its first reply on the current
 * connection. A member is connected with only one process of another member at a time. So for the
 * whole wait that member has neither given a promise to, nor received one from, another process of
 * this member, whether a duplicate started by mistake or an earlier process.
 */
final class RecoveringMember {
  /** Time between probes to members that have not replied. */
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

  private final QuorumConfig config;
  private final Map<Integer, Contact> contacts = new TreeMap<>();
  private Duration wait;
  private long nextProbeNanos;
  private long highestTerm;

  /** What another member has reported since the newest connection with it was established. */
  private static final class Contact {
    /** Sequence of the first probe on this connection. */
    final long firstSequence;

    /** When its first report arrived; null before. */
    @Nullable Long sinceNanos;

    /** Sequence of the first probe after the wait was over; null before. */
    @Nullable Long firstCounted;

    /** Its report in reply to such a probe; null before. */
    @Nullable Report counted;

    /** Whether it has reported that it has not taken part in any term. */
    boolean blank;

    Contact(long firstSequence) {
      this.firstSequence = firstSequence;
    }
  }

  RecoveringMember(QuorumConfig config, MemberStepContext now) {
    this.config = config;
    this.nextProbeNanos = now.nanos();
    this.wait = longer(config.lease(), config.timing().longestLease());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * Records a term and a lease length seen in a message. If the lease is longer than any seen
   * before, this member may have promised one of that length, so the wait is extended.
   */
  void observe(long term, Duration lease) {
    highestTerm = Math.max(highestTerm, term);
    wait = longer(wait, lease);
  }

  /** Handles a new connection with this member: discards its earlier reports and probes it. */
  void linked(int member, MemberState state) {
    Probe first = new Probe(state.nextSequence());
    contacts.put(member, new Contact(first.sequence()));
    state.send(member, first);
  }

  void unlinked(int member) {
    contacts.remove(member);
  }

  /** Returns whether a probe is due, and if so schedules the next one. */
  boolean wantsToProbe(MemberStepContext now) {
    if (!now.hasReached(wakeAtNanos())) {
      return false;
    }
    nextProbeNanos = now.plus(PROBE_INTERVAL);
    return true;
  }

  /** Probes the members whose report is still missing. */
  void probe(MemberState state, MemberStepContext now) {
    long sequence = state.nextSequence();
    contacts.forEach(
        (member, contact) -> {
          if (contact.firstCounted == null && hasWaited(contact, now)) {
            contact.firstCounted = sequence;
          }
          if (isMissed(contact)) {
            state.send(member, new Probe(sequence));
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

  /**
   * Handles a report to this process. Returns the ballot to start with; null if more reports are
   * needed.
   */
  @Nullable HardState onReport(int from, Report report, MemberStepContext now) {
    observe(report.term(), Duration.ofMillis(report.leaseMillis()));
    waitLonger(now);
    Contact contact = contacts.get(from);
    if (contact == null || report.sequence() - contact.firstSequence < 0) {
      return null; // From before this connection.
    }
    if (contact.sinceNanos == null) {
      contact.sinceNanos = now.nanos();
    }
    contact.blank |= report.term() == 0;
    if (contact.firstCounted != null && report.sequence() - contact.firstCounted >= 0) {
      contact.counted = report;
    }
    if (config.trustsBlank() && isEverybodyBlank()) {
      return HardState.BLANK; // A leader elected meanwhile does not have this vote.
    }
    return afterTheWait();
  }

  private boolean isEverybodyBlank() {
    return contacts.size() == config.size() - 1
        && contacts.values().stream().allMatch(contact -> contact.blank);
  }

  /** Discards reports that were counted too early, because a longer lease has extended the wait. */
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

  /** The time of the next probe, or of the end of a wait, which triggers a probe. */
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

  /** The reason why it does not vote yet. */
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
    String missing = silent.isEmpty() ? "" : "; no response from " + String.join(", ", silent);
    if (config.size() - 1 - silent.size() < needed) {
      String ballots = highestTerm > 0 ? " that have one" : "";
      return "this member has no saved vote and needs responses from "
          + needed
          + " others"
          + ballots
          + missing;
    }
    return without.isEmpty()
        ? "this member has no saved vote; it waits a lease and asks the others before it votes"
            + missing
        : "this member has no saved vote and needs responses from "
            + needed
            + " others that have one; "
            + String.join(", ", without)
            + (without.size() == 1 ? " has" : " have")
            + " none either"
            + missing;
  }
}
