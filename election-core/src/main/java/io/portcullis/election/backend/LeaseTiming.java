package io.portcullis.election.backend;

import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.config.TimingBuilder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The timing keys that all stores of leases share. */
public final class LeaseTiming {
  private LeaseTiming() {}

  /** A builder with what the common keys say; a backend goes on with its own. */
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
   * The timing as a whole. What its parts say together is looked at only if each could be read.
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
