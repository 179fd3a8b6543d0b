package io.portcullis.it.support;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Events of one election, parsed from its nodes' logs.
 *
 * <p>All nodes run on one machine, so the times of their lines are comparable.
 */
public final class LeadershipLog {
  private static final Pattern LINE =
      Pattern.compile(
          "^(\\S+Z) portcullis election=(\\S+) node=(\\S+) (?:\\S+=\\S+ )*?epoch=(\\d+)"
              + " (became leader|lost leadership)\\b(.*)$");

  /** Maximum time until a leader logs that it has handed over. */
  private static final Duration MAX_HANDOVER_LOG_DELAY = Duration.ofSeconds(1);

  /**
   * Maximum delay between the request for a grant and its log line: the lease, and the wait of a
   * successor, count from the request.
   */
  private static final Duration MAX_GRANT_LOG_DELAY = Duration.ofMillis(500);

  /** The event of a line: a grant, or its end. */
  public record Event(Instant at, String node, long epoch, boolean granted, String rest) {}

  private final List<Event> events;

  private LeadershipLog(List<Event> events) {
    this.events = events;
  }

  public static LeadershipLog of(ServiceJvm... jvms) {
    return of(List.of(jvms));
  }

  public static LeadershipLog of(Collection<ServiceJvm> jvms) {
    return ofLines(jvms.stream().flatMap(jvm -> jvm.output().stderr().stream()));
  }

  public static LeadershipLog ofLines(Stream<String> lines) {
    return new LeadershipLog(
        lines
            .map(LINE::matcher)
            .filter(Matcher::matches)
            .map(
                line ->
                    new Event(
                        Instant.parse(line.group(1)),
                        line.group(3),
                        Long.parseLong(line.group(4)),
                        line.group(5).equals("became leader"),
                        line.group(6)))
            .sorted(Comparator.comparing(Event::at))
            .toList());
  }

  public List<Event> events() {
    return events;
  }

  /** All grants, by rising epoch; a grant that was confirmed after a stall counts once. */
  public List<Event> grants() {
    return events.stream()
        .filter(Event::granted)
        .filter(event -> !isReopening(event))
        .sorted(Comparator.comparingLong(Event::epoch))
        .toList();
  }

  /** The ids of the leaders, by rising epoch. */
  public List<String> leaders() {
    return grants().stream().map(grant -> nodeId(grant.node())).toList();
  }

  /** Log lines that show two leaders at once, or an epoch that did not rise. */
  public List<String> violations(Duration lease) {
    List<String> found = new ArrayList<>();
    List<Event> grants = grants();
    for (int i = 1; i < grants.size(); i++) {
      Event before = grants.get(i - 1);
      Event after = grants.get(i);
      if (before.epoch() == after.epoch()) {
        found.add("one epoch granted twice: " + before + " and " + after);
      } else if (after.at().isBefore(before.at())) {
        found.add("a later grant has a lower epoch: " + before + " and " + after);
      } else if (mayStillLead(before, after.at(), lease)) {
        found.add("two grants within one lease, and the first had not ended: " + grants);
      }
    }
    for (Event reopening : reopenings()) {
      grants.stream()
          .filter(grant -> grant.epoch() > reopening.epoch())
          .filter(grant -> grant.at().isBefore(reopening.at()))
          .forEach(grant -> found.add("opened again after a successor: " + reopening + grant));
    }
    return found;
  }

  /** An identity is {@code <id>-<pid>-<uuid>}. */
  static String nodeId(String identity) {
    return identity.replaceFirst("-\\d+-[0-9a-fA-F-]+$", "");
  }

  /** Gates that reopened under the epoch with which they had shut. */
  public List<Event> reopenings() {
    return events.stream().filter(this::isReopening).toList();
  }

  /**
   * Whether the line reports a reopening, and the same process had become leader under that epoch
   * before and lost it.
   */
  private boolean isReopening(Event event) {
    return event.granted()
        && event.rest().contains("why=\"lease confirmed\"")
        && events.subList(0, events.indexOf(event)).stream()
            .filter(before -> before.epoch() == event.epoch())
            .filter(before -> before.node().equals(event.node()))
            .reduce((earlier, later) -> later)
            .filter(last -> !last.granted())
            .isPresent();
  }

  /**
   * Whether the last logged opening of the gate was less than a lease before that moment, without a
   * shut logged soon after. The end of a tenure is logged only when the store has acknowledged it,
   * so a successor that learns of it there may log first; the other checks show whether the gate
   * was shut by then.
   */
  private boolean mayStillLead(Event grant, Instant moment, Duration lease) {
    Duration surely = lease.minus(MAX_GRANT_LOG_DELAY);
    List<Event> ofGrant =
        events.stream()
            .filter(event -> event.epoch() == grant.epoch() && event.node().equals(grant.node()))
            .toList();
    boolean opened =
        ofGrant.stream()
            .filter(event -> !event.at().isAfter(moment))
            .reduce((earlier, later) -> later)
            .filter(Event::granted)
            .filter(last -> Duration.between(last.at(), moment).compareTo(surely) < 0)
            .isPresent();
    return opened
        && ofGrant.stream()
            .filter(event -> event.at().isAfter(moment))
            .findFirst()
            .filter(
                next -> !next.granted() && next.at().isBefore(moment.plus(MAX_HANDOVER_LOG_DELAY)))
            .isEmpty();
  }
}
