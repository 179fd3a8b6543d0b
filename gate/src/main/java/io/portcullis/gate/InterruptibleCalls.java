package io.portcullis.gate;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread within calls that are to be interrupted when leadership is lost.
 *
 * <p><b>Why an interrupt never comes too late.</b> A call ends, and a thread is interrupted for it,
 * under one lock that belongs to the thread. So either the call has ended and nobody interrupts for
 * it, or the interrupt is complete before the call can end. What the body has left of such an
 * interrupt is cleared as the call ends, unless the thread is still within another call that was
 * meant, or was interrupted by somebody else before.
 *
 * <p><b>Why no loss is missed.</b> A call enters its name here after it has passed the gate, and
 * then compares the gate's count of losses with the one from before it passed. A loss is counted
 * first and the names are read then. Of these two pairs one sees the other.
 */
final class InterruptibleCalls {
  private static final Map<Key, InterruptibleCalls> BY_THREAD = new ConcurrentHashMap<>();

  private final Key key;
  private final ReentrantLock lock = new ReentrantLock();

  /** The outermost call first. Changed by the thread itself, under the lock. */
  private final List<Call> calls = new ArrayList<>(1);

  /** Whether the flag that is set, if it is, is surely of our making. Guarded by the lock. */
  private boolean flagIsOurs;

  private InterruptibleCalls(Key key) {
    this.key = key;
  }

  /** Threads by identity: a class of the application's may have made its threads equal. */
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

    /** From here on nobody interrupts for this call. */
    void end() {
      thread.end(this);
    }

    private boolean isInterruptDue() {
      return !interrupted && !election.isOpenUnder(epoch);
    }
  }

  /**
   * Begins a call of this thread, which has passed the gate already.
   *
   * @param losses the gate's count of losses, read before it was passed
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

  /** Whether any thread is within such a call, of whatever election. Waits for nobody. */
  static boolean isAnyInside() {
    VarHandle.fullFence();
    return !BY_THREAD.isEmpty();
  }

  /** Interrupts each thread within such a call, once for each loss. */
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
   * Calls of one thread lie within each other, so that those which began after this one are gone
   * too, be it that their stack was too full to tell. Plain loops, since they need the least of it.
   */
  @SuppressWarnings("ReferenceEquality") // One call, not one like it.
  private void end(Call ended) {
    lock.lock();
    try {
      int place = calls.size() - 1;
      while (place >= 0 && calls.get(place) != ended) {
        place--;
      }
      boolean wasTold = false;
      for (int i = calls.size() - 1; place >= 0 && i >= place; i--) {
        wasTold |= calls.remove(i).interrupted;
      }
      if (wasTold && !isAnyInterrupted()) {
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
