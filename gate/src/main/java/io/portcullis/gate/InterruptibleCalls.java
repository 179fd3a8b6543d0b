package io.portcullis.gate;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of one thread that are interrupted when leadership is lost.
 *
 * <p><b>Why an interrupt never comes too late.</b> The end of a call, and the interrupt of its
 * thread, are guarded by one lock per thread. So either the call has ended and is not interrupted
 * any more, or the interrupt is complete before the call can end. If the body did not consume such
 * an interrupt, it is cleared when the call ends, unless the thread is still in another interrupted
 * call, or was interrupted by other code before.
 *
 * <p><b>Why no loss is missed.</b> A call registers here after it has passed the gate, and then
 * compares the gate's count of losses with the count from before it passed. A loss is counted
 * first, and the registered calls are read afterwards. At least one of the two sides sees the
 * other.
 */
final class InterruptibleCalls {
  private static final Map<Key, InterruptibleCalls> BY_THREAD = new ConcurrentHashMap<>();

  private final Key key;
  private final ReentrantLock lock = new ReentrantLock();

  /** The outermost call first. Changed by the thread itself, under the lock. */
  private final List<Call> calls = new ArrayList<>(1);

  /** Whether the interrupt flag, if set, was certainly set by this class. Guarded by the lock. */
  private boolean flagIsOurs;

  private InterruptibleCalls(Key key) {
    this.key = key;
  }

  /** Compares threads by identity: an application class may define its threads as equal. */
  private record Key(Thread thread) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && that.thread == thread;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(thread);
    }
  }

  /** One call of the thread. */
  static final class Call {
    private final InterruptibleCalls thread;
    private final ElectionGate election;
    private final long epoch;

    /** Whether the thread was interrupted for it. Guarded by the lock. */
    private boolean interrupted;

    private Call(InterruptibleCalls thread, ElectionGate election, long epoch) {
      this.thread = thread;
      this.election = election;
      this.epoch = epoch;
    }

    /** Ends the call; from now on it causes no interrupt. */
    void end() {
      thread.end(this);
    }

    private boolean isInterruptDue() {
      return !interrupted && !election.isOpenUnder(epoch);
    }
  }

  /**
   * Registers a call of this thread, which has already passed the gate.
   *
   * @param losses the gate's count of losses, read before the gate was passed
   */
  static Call begin(ElectionGate election, long epoch, long losses) {
    Key key = new Key(Thread.currentThread());
    InterruptibleCalls known = BY_THREAD.get(key);
    InterruptibleCalls thread = known == null ? new InterruptibleCalls(key) : known;
    Call call = thread.add(new Call(thread, election, epoch));
    try {
      if (known == null) {
        BY_THREAD.put(key, thread);
      }
      VarHandle.fullFence();
      if (election.losses() != losses) {
        thread.interruptIfLost(election);
      }
    } catch (VirtualMachineError full) {
      call.end();
      throw full;
    }
    return call;
  }

  /** Whether any thread is in such a call, of any election. Does not block. */
  static boolean isAnyInside() {
    VarHandle.fullFence();
    return !BY_THREAD.isEmpty();
  }

  /** Interrupts each thread in such a call, once for each loss. */
  static void interruptAllOf(ElectionGate election) {
    VarHandle.fullFence();
    BY_THREAD.values().forEach(thread -> thread.interruptIfLost(election));
  }

  private boolean isAnyInterrupted() {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).interrupted) {
        return true;
      }
    }
    return false;
  }

  private Call add(Call call) {
    lock.lock();
    try {
      calls.add(call);
    } finally {
      lock.unlock();
    }
    return call;
  }

  private void interruptIfLost(ElectionGate election) {
    lock.lock();
    try {
      boolean due = false;
      for (Call call : calls) {
        if (call.election == election && call.isInterruptDue()) {
          call.interrupted = true;
          due = true;
        }
      }
      if (due) {
        flagIsOurs |= !key.thread().isInterrupted();
        key.thread().interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a call. Calls of one thread are nested, so those that began after this one have ended too,
   * even if their stack was too full to record it. Plain loops, since they need the least stack
   * space.
   */
  @SuppressWarnings("ReferenceEquality") // Compares identity.
  private void end(Call ended) {
    lock.lock();
    try {
      int index = calls.size() - 1;
      while (index >= 0 && calls.get(index) != ended) {
        index--;
      }
      boolean wasInterrupted = false;
      for (int i = calls.size() - 1; index >= 0 && i >= index; i--) {
        wasInterrupted |= calls.remove(i).interrupted;
      }
      if (wasInterrupted && !isAnyInterrupted()) {
        if (flagIsOurs) {
          boolean ignored = Thread.interrupted();
        }
        flagIsOurs = false;
      }
      if (calls.isEmpty()) {
        BY_THREAD.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }
}
