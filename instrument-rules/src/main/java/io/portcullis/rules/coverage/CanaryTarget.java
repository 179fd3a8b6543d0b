package io.portcullis.rules.coverage;

import java.util.function.IntSupplier;

/**
 * Target class of the {@link Canary}. Each check defines it in a new loader; the copy in the
 * agent's own loader is never used.
 */
public final class CanaryTarget implements IntSupplier {
  /** The result of the body, which shows that it ran. */
  static final int SONG = 7;

  @Override
  public int getAsInt() {
    return SONG;
  }
}
