package io.portcullis.election.sim;

import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.RecordVersion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Collectors;

/** A readable trace with one line per event. Recorded only when a failing seed is run again. */
final class EventTrace {
  private static final int MAX_LINES = 300;

  private final boolean kept;
  private final Deque<String> lines = new ArrayDeque<>();

  EventTrace(boolean kept) {
    this.kept = kept;
  }

  void step(long time, SimNode node, Input input, Role before, Step step) {
    if (kept && !(input instanceof Input.Tick && step.effects().isEmpty())) {
      String from = before.getClass().getSimpleName();
      String to = step.role().getClass().getSimpleName();
      String effects =
          step.effects().stream().map(EventTrace::brief).collect(Collectors.joining(", "));
      add(time, node.name(), brief(input) + ": " + from + " -> " + to + " [" + effects + "]");
    }
  }

  void served(long time, SimNode node, Effect.Ask ask, LeaseResponse answer) {
    if (kept) {
      add(time, "store", node.name() + " " + brief(ask) + " => " + brief(answer));
    }
  }

  void note(long time, String what) {
    if (kept) {
      add(time, "world", what);
    }
  }

  private void add(long time, String who, String what) {
    if (lines.size() == MAX_LINES) {
      lines.removeFirst();
    }
    lines.add(String.format(Locale.ROOT, "%12.6fs %-8s %s", time / 1e9, who, what));
  }

  private static String brief(Input input) {
    return input instanceof Input.Answered answered
        ? "#" + answered.sequence() + " " + brief(answered.answer())
        : input.toString();
  }

  private static String brief(Effect effect) {
    if (effect instanceof Effect.Ask ask) {
      return "#" + ask.sequence() + " " + brief(ask.request());
    }
    return effect.toString();
  }

  private static String brief(LeaseRequest request) {
    if (request instanceof LeaseRequest.Acquire acquire) {
      Claim claim = acquire.claim();
      RecordVersion waitedOut = claim.waitedOut();
      return "Acquire, has seen epoch "
          + claim.highestEpoch()
          + (waitedOut == null ? "" : ", has waited out " + brief(waitedOut));
    }
    return request.toString();
  }

  private static String brief(LeaseResponse answer) {
    if (answer instanceof LeaseResponse.HeldByOther held) {
      LeaseRecord record = held.record();
      return "held by "
          + brief(record.recordVersion())
          + (record.released() ? ", released" : ", left " + record.remaining().toMillis() + "ms");
    }
    return answer.toString();
  }

  private static String brief(RecordVersion recordVersion) {
    String holder = recordVersion.holder().isEmpty() ? "nobody" : recordVersion.holder();
    return holder
        + "/"
        + recordVersion.epoch()
        + "/"
        + recordVersion.version()
        + " in "
        + recordVersion.incarnation();
  }

  String text() {
    return String.join("\n", lines);
  }
}
