package io.portcullis.rules.sample;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Methods that end in many ways, and code whose handlers and frames a gate must not change. */
@SuppressWarnings("StatementSwitchToExpressionSwitch")
public class ExitPaths {
  private final Object monitor = new Object();

  /** Returns from inside the protected code, and from both handlers. */
  public String caught(int kind) {
    try {
      if (kind == 0) {
        return "through";
      }
      fail(kind);
      return "never";
    } catch (IllegalStateException e) {
      return "state";
    } catch (RuntimeException e) {
      return "other " + e.getMessage();
    }
  }

  @SuppressWarnings({
    "Finally", "finally"
  }) // A handler that swallows any exception of the code before.
  public int swallowed(int kind) {
    try {
      fail(kind);
      return 1;
    } finally {
      return 2;
    }
  }

  /** Begins with a loop, so that the first instruction has a frame. */
  public long looped(int from) {
    while (from > 0) {
      from--;
    }
    return from;
  }

  /** Parameters get other values, and variables begin and end. */
  public double overwritten(long number, double factor, @Nullable String text) {
    double result = factor;
    for (long each = 0; each < number; each++) {
      String longer = text + each;
      text = longer;
      result += longer.length();
    }
    Object last = Objects.requireNonNullElse(text, "none");
    return last instanceof String string ? result + string.length() : -1;
  }

  public int guarded(int kind) {
    synchronized (monitor) {
      fail(kind);
      return kind;
    }
  }

  public static float switched(int kind) {
    switch (kind) {
      case 0:
        return 0.5f;
      case 1:
        return 1.5f;
      default:
        return fail(2);
    }
  }

  public void silent(int kind) {
    if (kind == 0) {
      return;
    }
    fail(kind);
  }

  /** Has no return at all. */
  public Object never() {
    throw new IllegalStateException("always");
  }

  private static int fail(int kind) {
    if (kind == 1) {
      throw new IllegalStateException("one");
    }
    if (kind == 2) {
      throw new IllegalArgumentException("two");
    }
    return kind;
  }
}
