package io.portcullis.gate;

import java.lang.StackWalker.StackFrame;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The distinct callers whose calls one rule has refused, or would have refused if it did not only
 * observe. Callers are sampled, because reading a stack costs much more than a refusal: the first
 * {@link #MAX_CALLERS} refusals, and after them at most one a second. So a rare caller may be
 * missing.
 *
 * <p>A caller consists of strings only, so it keeps no class from being unloaded.
 */
public final class RefusedCallers {
  /** Maximum number of callers; later ones are dropped. */
  public static final int MAX_CALLERS = 20;

  /** Maximum number of frames of one caller: the gated method, and callers below it. */
  public static final int MAX_FRAMES = 8;

  private static final int MAX_FRAMES_READ = 128;
  private static final int MAX_FRAME_LENGTH = 200;
  private static final long SAMPLE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final StackWalker STACK = StackWalker.getInstance();

  /** Refusals left that are sampled in any case. */
  private final AtomicInteger samplesLeft = new AtomicInteger(MAX_CALLERS);

  private final AtomicLong nextSampleNanos;

  /** Guarded by this object's lock. */
  private final List<RefusedCaller> callers = new ArrayList<>();

  RefusedCallers(long nowNanos) {
    this.nextSampleNanos = new AtomicLong(nowNanos);
  }

  /**
   * One caller.
   *
   * @param frames {@code class#method:line}, the gated method first; frames of the JDK are left
   *     out, and of frames of one class in a row only the outermost is kept
   * @param samples how often the caller was found; many refusals are not sampled
   */
  public record RefusedCaller(List<String> frames, Instant firstSeen, long samples) {
    public RefusedCaller {
      frames = List.copyOf(frames);
    }

    private RefusedCaller seenAgain() {
      return new RefusedCaller(frames, firstSeen, samples + 1);
    }
  }

  /**
   * Adds the recording of callers to a refusal. What the refusal does is not changed.
   *
   * @param newCaller is notified of each new caller, on the caller's thread
   */
  public static Refusal recording(Refusal refusal, Consumer<RefusedCaller> newCaller) {
    return new RecordingRefusal(refusal, newCaller);
  }

  synchronized List<RefusedCaller> list() {
    return List.copyOf(callers);
  }

  /** Whether the stack of a refusal at this time is read. */
  boolean isSampled(long nowNanos) {
    if (samplesLeft.get() > 0 && samplesLeft.getAndDecrement() > 0) {
      return true;
    }
    long dueNanos = nextSampleNanos.get();
    return nowNanos - dueNanos >= 0
        && nextSampleNanos.compareAndSet(dueNanos, nowNanos + SAMPLE_INTERVAL_NANOS);
  }

  /** Adds a caller, or counts it again; returns it if it is new and was added, else null. */
  synchronized @Nullable RefusedCaller add(List<String> frames) {
    for (int i = 0; i < callers.size(); i++) {
      RefusedCaller known = callers.get(i);
      if (known.frames().equals(frames)) {
        callers.set(i, known.seenAgain());
        return null;
      }
    }
    if (callers.size() >= MAX_CALLERS) {
      return null;
    }
    RefusedCaller added = new RefusedCaller(frames, Instant.now(), 1);
    callers.add(added);
    return added;
  }

  private static final class RecordingRefusal implements Refusal {
    private final Refusal refusal;
    private final Consumer<RefusedCaller> newCaller;

    RecordingRefusal(Refusal refusal, Consumer<RefusedCaller> newCaller) {
      this.refusal = refusal;
      this.newCaller = newCaller;
    }

    /** Records after the decision, since a call that has waited may be admitted. */
    @Override
    public Verdict refuse(Checkpoint checkpoint, long sinceNanos) {
      boolean refused = true;
      try {
        Verdict verdict = refusal.refuse(checkpoint, sinceNanos);
        refused = verdict != Verdict.ASK_AGAIN;
        return verdict;
      } finally {
        if (refused && checkpoint.refusedCallers.isSampled(System.nanoTime())) {
          record(checkpoint.refusedCallers);
        }
      }
    }

    private void record(RefusedCallers callers) {
      try {
        RefusedCaller added = callers.add(STACK.walk(new CallerFrames()));
        if (added != null) {
          newCaller.accept(added);
        }
      } catch (RuntimeException | VirtualMachineError | LinkageError notRecorded) {
        // The result of the call must not depend on whether its caller could be recorded.
        return;
      }
    }

    @Override
    public @Nullable Object answer(Checkpoint checkpoint, String method) {
      return refusal.answer(checkpoint, method);
    }
  }

  /** Reads the frames of a caller: those after {@link Gate}, which the gated method has called. */
  static final class CallerFrames implements Function<Stream<StackFrame>, List<String>> {
    private static final String GATE = Gate.class.getName();

    /** Frames so far, without {@link #pending}. */
    private final List<String> frames = new ArrayList<>(MAX_FRAMES);

    private boolean gateSeen;

    /** The last frame read, which is dropped if its caller is of the same class. */
    private @Nullable StackFrame pending;

    @Override
    public List<String> apply(Stream<StackFrame> stack) {
      Iterator<StackFrame> all = stack.iterator();
      for (int i = 0; i < MAX_FRAMES_READ && frames.size() < MAX_FRAMES && all.hasNext(); i++) {
        read(all.next());
      }
      if (pending != null && frames.size() < MAX_FRAMES) {
        frames.add(text(pending));
      }
      return frames;
    }

    private void read(StackFrame frame) {
      String type = frame.getClassName();
      if (type.equals(GATE)) {
        gateSeen = true;
      } else if (gateSeen && frames.isEmpty()) {
        frames.add(text(frame)); // The gated method, even if it belongs to the JDK.
      } else if (gateSeen && !isOfJdk(type)) {
        if (pending != null && !pending.getClassName().equals(type)) {
          frames.add(text(pending));
        }
        pending = frame;
      }
    }

    private static boolean isOfJdk(String type) {
      return type.startsWith("java.") || type.startsWith("jdk.") || type.startsWith("sun.");
    }

    private static String text(StackFrame frame) {
      int line = frame.getLineNumber();
      String text =
          frame.getClassName() + "#" + frame.getMethodName() + (line < 0 ? "" : ":" + line);
      return text.length() <= MAX_FRAME_LENGTH ? text : text.substring(0, MAX_FRAME_LENGTH) + "…";
    }
  }
}
