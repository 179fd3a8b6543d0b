package io.portcullis.agent.config;

/**
 * Where a value was set.
 *
 * @param layer which of the layers, weakest first
 * @param name the file, the variable or the property
 * @param line the line in a file, or 0
 */
public record ValueOrigin(Layer layer, String name, int line) implements Comparable<ValueOrigin> {
  /** The layers of a configuration, each stronger than the one before. */
  public enum Layer {
    /** What holds if nothing is set. */
    DEFAULT,
    /** The configuration's file and those it includes. */
    FILE,
    /** A variable of the environment. */
    ENVIRONMENT,
    /** A system property. */
    PROPERTY
  }

  static final ValueOrigin DEFAULT = new ValueOrigin(Layer.DEFAULT, "default", 0);

  static ValueOrigin file(String name, int line) {
    return new ValueOrigin(Layer.FILE, name, Math.max(line, 0));
  }

  static ValueOrigin environment(String variable) {
    return new ValueOrigin(Layer.ENVIRONMENT, variable, 0);
  }

  static ValueOrigin property(String name) {
    return new ValueOrigin(Layer.PROPERTY, name, 0);
  }

  boolean isOverride() {
    return layer == Layer.ENVIRONMENT || layer == Layer.PROPERTY;
  }

  @Override
  public int compareTo(ValueOrigin other) {
    if (layer != other.layer) {
      return layer.compareTo(other.layer);
    }
    return name.equals(other.name) ? Integer.compare(line, other.line) : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return switch (layer) {
      case DEFAULT -> name;
      case FILE -> line == 0 ? name : name + ":" + line;
      case ENVIRONMENT -> "environment " + name;
      case PROPERTY -> "system property " + name;
    };
  }
}
