package io.portcullis.election.fence;

import io.portcullis.election.store.EpochRange;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A resource that checks epochs, as seen from one node. Thread-safe. All methods return at once; a
 * stage may complete on any thread, or fail.
 */
public interface EpochFence extends AutoCloseable {

  /** Location of the resource, for display; contains no secret. */
  String describe();

  /**
   * Reads the installed epoch. Fails if the resource can't be reached or gives no reliable state.
   */
  CompletionStage<FenceState> read();

  /**
   * Raises the fence to {@code epoch}; never lowers it. If the stage completes with the requested
   * state, all work under lower epochs has ended or is refused from then on. Any other state is the
   * installed one instead: a higher epoch, or the same epoch with another holder. Fails if the
   * result is unknown.
   */
  CompletionStage<FenceState> install(long epoch, String holder);

  /**
   * Functions that check the epoch in the database's own transactions; null until the resource was
   * reached once.
   */
  @Nullable FenceFunctions functions();

  /** Command that sets the fence's epoch to the current Unix second, for messages. */
  default String repair() {
    return "the command that sets its epoch to the current Unix second";
  }

  /**
   * Whether the server was in recovery when last read. Such a server can't be raised, and nothing
   * can be written there until it is promoted.
   */
  default boolean isInRecovery() {
    return false;
  }

  /** Releases the resources on this side. Does not change the fence. */
  @Override
  void close();

  /**
   * Functions that check the epoch in a database's own transactions. Each name is written as in an
   * SQL statement and needs no search path.
   *
   * @param check for one transaction: takes scope, epoch, holder, and whether the following
   *     statement only may write
   * @param hold for one session: takes scope, epoch and holder
   * @param release ends {@code hold}: takes the scope
   */
  public record FenceFunctions(String check, String hold, String release) {}

  /**
   * State of a fence: it admits only work under this epoch and holder.
   *
   * @param epoch the epoch installed last, 0 if none
   * @param holder the identity of the node that installed it, empty if none
   */
  public record FenceState(long epoch, String holder) {
    /** State of a fence with no epoch installed. */
    public static final FenceState NONE = new FenceState(0, "");

    /** Rejects missing components, and an epoch outside {@link EpochRange}. */
    public FenceState {
      Objects.requireNonNull(holder, "holder");
      EpochRange.check(epoch);
    }
  }
}
