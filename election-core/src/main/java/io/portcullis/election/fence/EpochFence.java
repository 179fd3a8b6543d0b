package io.portcullis.election.fence;

import io.portcullis.election.store.EpochRange;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One resource that compares epochs, seen from a node. Any thread may ask; all calls return at once
 * and may be answered on any thread, or fail.
 */
public interface EpochFence extends AutoCloseable {

  /** Where it is, for people; holds no secret. */
  String describe();

  /** What it stands at. Fails if it can't be reached, or can't be relied on. */
  CompletionStage<FenceState> read();

  /**
   * Raises it to this epoch, never lowers it. Once it is answered with the mark that was asked for,
   * all work under lower epochs has ended or is refused from then on. Any other mark is what it
   * stands at instead: a higher epoch, or the same one by another holder. Fails if nobody knows.
   */
  CompletionStage<FenceState> install(long epoch, String holder);

  /** How to compare within the database's own transactions; null until it was reached once. */
  @Nullable FenceFunctions functions();

  /** What to run there to set its epoch to the present Unix second, for people. */
  default String repair() {
    return "what sets its epoch to the present Unix second";
  }

  /**
   * Whether the server was in recovery when last read. Such a server can't be raised, and nothing
   * can be written there until it is promoted.
   */
  default boolean isInRecovery() {
    return false;
  }

  /** Ends what runs on this side. The fence stays as it is. */
  @Override
  void close();

  /**
   * How to compare within a database's own transactions: names of functions, as they stand in a
   * statement, that need no search path.
   *
   * @param check for one transaction: takes scope, epoch, holder, and whether what follows only
   *     perhaps writes
   * @param hold for one session: takes scope, epoch and holder
   * @param release ends what {@code hold} began: takes the scope
   */
  public record FenceFunctions(String check, String hold, String release) {}

  /**
   * What a fence stands at: only work under this epoch, by this holder, is let through.
   *
   * @param epoch the epoch installed last, 0 if none ever was
   * @param holder the identity of the node that installed it, empty if none did
   */
  public record FenceState(long epoch, String holder) {
    /** A fence at which nothing was ever installed. */
    public static final FenceState NONE = new FenceState(0, "");

    /** Refuses a missing part, and an epoch outside {@link EpochRange}. */
    public FenceState {
      Objects.requireNonNull(holder, "holder");
      EpochRange.check(epoch);
    }
  }
}
