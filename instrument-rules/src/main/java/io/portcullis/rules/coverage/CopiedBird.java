package io.portcullis.rules.coverage;

import java.util.function.IntSupplier;

/** As {@link CanaryBird}, with a gate that is copied from a template. */
public final class CopiedBird implements IntSupplier {
  @Override
  public int getAsInt() {
    return CanaryBird.SONG;
  }
}
