package io.portcullis.it.freeze;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The counts of the threads of one round.
 *
 * @param passedLate calls that began after the deadline and still passed
 * @param latestMicros how long after the deadline the latest of them began
 * @param threadsPassed how many threads passed at least once
 * @param threadsRefused how many threads were refused at least once
 * @param gapMicros the shortest time, over all threads, between the last call before the deadline
 *     and the first after it
 */
record FreezeReport(
    long epoch,
    long passed,
    long passedLate,
    long latestMicros,
    long refused,
    long threadsPassed,
    long threadsRefused,
    long gapMicros) {

  static FreezeReport of(long epoch, List<CallLoopThread> threads) {
    return new FreezeReport(
        epoch,
        sum(threads, CallLoopThread::passed),
        sum(threads, CallLoopThread::passedLate),
        threads.stream().mapToLong(CallLoopThread::latestNanos).max().orElse(0) / 1_000,
        sum(threads, CallLoopThread::refused),
        threads.stream().filter(hammer -> hammer.passed() > 0).count(),
        threads.stream().filter(hammer -> hammer.refused() > 0).count(),
        threads.stream().mapToLong(CallLoopThread::gapNanos).min().orElse(0) / 1_000);
  }

  static FreezeReport parse(String counted) {
    Map<String, Long> counts =
        Stream.of(counted.split(" ", -1))
            .map(word -> word.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1])));
    return new FreezeReport(
        count(counts, "epoch"),
        count(counts, "passed"),
        count(counts, "passedLate"),
        count(counts, "latestMicros"),
        count(counts, "refused"),
        count(counts, "threadsPassed"),
        count(counts, "threadsRefused"),
        count(counts, "gapMicros"));
  }

  String toLine() {
    return ("epoch=%d passed=%d passedLate=%d latestMicros=%d refused=%d"
            + " threadsPassed=%d threadsRefused=%d gapMicros=%d")
        .formatted(
            epoch,
            passed,
            passedLate,
            latestMicros,
            refused,
            threadsPassed,
            threadsRefused,
            gapMicros);
  }

  /** Whether every thread passed, then was stopped before the deadline, and went on after it. */
  boolean frozeAcrossTheDeadline(Duration pause) {
    return threadsPassed == CallLoopJvm.THREADS && gapMicros >= pause.toNanos() / 1_000;
  }

  private static long sum(List<CallLoopThread> threads, ToLongFunction<CallLoopThread> count) {
    return threads.stream().mapToLong(count).sum();
  }

  private static long count(Map<String, Long> counts, String name) {
    Long count = counts.get(name);
    if (count == null) {
      throw new IllegalArgumentException("The report lacks " + name + ": " + counts);
    }
    return count;
  }
}
