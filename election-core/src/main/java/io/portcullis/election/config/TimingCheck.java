package io.portcullis.election.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects a sentence for each problem of a timing. */
final class TimingCheck {
  private static final Duration MAX_DURATION = Duration.ofDays(1);
  private static final double MAX_DRIFT = 0.2;

  private final List<String> problems = new ArrayList<>();

  void durations(
      Duration lease,
      Duration renew,
      Duration renewDeadline,
      Duration askTimeout,
      Duration longestLease,
      Duration drain,
      Duration holdAfterLapse) {
    positive("lease", lease);
    positive("renew", renew);
    positive("renew-deadline", renewDeadline);
    positive("ask-timeout", askTimeout);
    positive("longest-lease", longestLease);
    notNegative("drain", drain);
    notNegative("hold-after-lapse", holdAfterLapse);
  }

  void stale(@Nullable Duration stale) {
    if (stale != null) {
      positive("stale", stale);
    }
  }

  void shares(double renewJitter, double drift) {
    if (!(renewJitter >= 0 && renewJitter < 1)) {
      problems.add("jitter is " + renewJitter + "; it must be from 0 to below 1.");
    }
    if (!(drift >= 0 && drift <= MAX_DRIFT)) {
      problems.add("drift is " + drift + "; it must be from 0 to " + MAX_DRIFT + ".");
    }
  }

  void backoffs(Backoff whenHeld, Backoff whenUnknown) {
    backoff("the backoff while another node leads", whenHeld);
    backoff("the backoff while the store does not respond", whenUnknown);
  }

  void retries(List<Duration> retry) {
    if (retry.isEmpty()) {
      problems.add("retry is empty; it must name at least one pause after a failed renewal.");
    }
    retry.forEach(pause -> positive("retry", pause));
  }

  void relations(
      Duration lease,
      Duration renew,
      double renewJitter,
      Duration renewDeadline,
      Duration margin,
      Duration longestLease) {
    Duration valid = lease.minus(margin);
    Duration latestRenew = Duration.ofNanos((long) (renew.toNanos() * (1 + renewJitter)));
    if (latestRenew.compareTo(valid) >= 0) {
      problems.add(
          "renew "
              + text(renew)
              + " (with its jitter "
              + text(latestRenew)
              + ") must be shorter than lease minus margin, "
              + text(valid)
              + ", else the gate shuts before the first renewal.");
    }
    if (renewDeadline.compareTo(lease) > 0) {
      problems.add(
          "renew-deadline "
              + text(renewDeadline)
              + " must not be longer than lease "
              + text(lease)
              + ".");
    }
    boolean ownDeadline = !renewDeadline.equals(lease); // Otherwise the key is not set.
    if (ownDeadline && latestRenew.compareTo(renewDeadline) >= 0) {
      problems.add(
          "renew "
              + text(renew)
              + " (with its jitter "
              + text(latestRenew)
              + ") must be shorter than renew-deadline "
              + text(renewDeadline)
              + ".");
    }
    if (longestLease.compareTo(lease) < 0) {
      problems.add(
          "longest-lease "
              + text(longestLease)
              + " must not be shorter than lease "
              + text(lease)
              + ": it is the longest lease of any node, including this one.");
    }
  }

  void retriesFit(
      Duration renew, List<Duration> retry, boolean stepDownAfterRetries, Duration valid) {
    Duration last = retry.stream().reduce(renew, Duration::plus);
    if (stepDownAfterRetries && last.compareTo(valid) >= 0) {
      problems.add(
          "renew plus all retries is "
              + text(last)
              + " and must be shorter than the time the gate stays open, "
              + text(valid)
              + ", else the last retry comes after the gate has shut.");
    }
  }

  void askFits(Duration askTimeout, Duration valid, Duration holdAfterLapse) {
    Duration useful = valid.compareTo(holdAfterLapse) > 0 ? valid : holdAfterLapse;
    if (askTimeout.compareTo(useful) > 0) {
      problems.add(
          "ask-timeout "
              + text(askTimeout)
              + " must not be longer than "
              + text(useful)
              + ": a later response would be useless.");
    }
  }

  void staleFits(@Nullable Duration stale, Duration lease) {
    if (stale != null && stale.compareTo(lease) < 0) {
      problems.add(
          "stale "
              + text(stale)
              + " must not be shorter than lease "
              + text(lease)
              + ": a leader whose lease still runs is not late.");
    }
  }

  boolean isClean() {
    return problems.isEmpty();
  }

  void throwIfBroken() {
    if (!problems.isEmpty()) {
      throw new InvalidElectionException("impossible timing", problems);
    }
  }

  private void backoff(String name, Backoff value) {
    positive(name, value.first());
    bounded(name, value.cap());
    if (value.cap().compareTo(value.first()) < 0) {
      problems.add(
          name
              + " starts with "
              + text(value.first())
              + " and must not be capped below that, at "
              + text(value.cap())
              + ".");
    }
    if (!(value.jitter() >= 0 && value.jitter() < 1)) {
      problems.add(name + " has jitter " + value.jitter() + "; it must be from 0 to below 1.");
    }
  }

  private void positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      problems.add(name + " is " + text(value) + "; it must be positive.");
    } else {
      bounded(name, value);
    }
  }

  private void notNegative(String name, Duration value) {
    if (value.isNegative()) {
      problems.add(name + " is " + text(value) + "; it must not be negative.");
    } else {
      bounded(name, value);
    }
  }

  private void bounded(String name, Duration value) {
    if (value.compareTo(MAX_DURATION) > 0) {
      problems.add(
          name + " is " + text(value) + "; it must be at most " + text(MAX_DURATION) + ".");
    }
  }

  private static String text(Duration value) {
    if (value.toNanosPart() % 1_000_000 != 0) {
      return value.toNanos() + "ns";
    }
    return value.toMillisPart() == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }
}
