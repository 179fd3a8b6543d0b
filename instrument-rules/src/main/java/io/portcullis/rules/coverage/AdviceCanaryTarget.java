package io.portcullis.rules.coverage;

import java.util.function.IntSupplier;

/** Target class like {@link CanaryTarget}, with a gate that is copied from a template. */
public final class AdviceCanaryTarget implements IntSupplier {
  @Override
  public int getAsInt() {
    return CanaryTarget.SONG;
  }
}
