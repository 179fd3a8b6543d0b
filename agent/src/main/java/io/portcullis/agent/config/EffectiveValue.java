package io.portcullis.agent.config;

/**
 * A value that holds in the end, fit to be shown.
 *
 * @param key the whole key
 * @param value the value, redacted
 * @param place where it was set
 */
public record EffectiveValue(String key, String value, ValueOrigin place) {
  @Override
  public String toString() {
    return key + " = " + value + "  # " + place;
  }
}
