package io.portcullis.election.backend;

import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.config.TimingBuilder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the timing keys that all lease stores share. */
public final class LeaseTiming {
  private LeaseTiming() {}

  /** Returns a builder with the values of the common keys; the backend adds its own. */
  public static TimingBuilder read(Settings timing) {
    TimingBuilder builder = Timing.builder().lease(timing.duration("lease"));
    timing.optionalDuration("ask-timeout").ifPresent(builder::askTimeout);
    timing.optionalDuration("longest-lease").ifPresent(builder::longestLease);
    builder.drift(timing.share("drift"));
    builder.drain(timing.duration("drain"));
    String first = timing.choice("first-election", List.of("at-once", "after-lease"));
    builder.firstElection(FirstElection.valueOf(first.toUpperCase(Locale.ROOT).replace('-', '_')));
    return builder;
  }

  /**
   * Builds the timing. Checks the relations between the values only if each value could be read.
   *
   * @return null if it was refused
   */
  public static @Nullable Timing build(TimingBuilder builder, Settings timing) {
    if (timing.problems() > 0) {
      return null;
    }
    try {
      return builder.build();
    } catch (InvalidElectionException e) {
      e.problems().forEach(problem -> timing.refuse("", problem));
      return null;
    }
  }
}
