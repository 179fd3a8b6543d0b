package io.portcullis.agent.config.hocon;

/**
 * Identifies where a configuration value was set.
 *
 * @param name the file, the environment variable or the system property
 * @param line the line in the file, or 0 if unknown
 */
public record ValueOrigin(Layer layer, String name, int line) implements Comparable<ValueOrigin> {
  /** Layers of the configuration; each overrides those before it. */
  public enum Layer {
    /** The built-in default. */
    DEFAULT,
    /** The configuration file and the files that it includes. */
    FILE,
    /** An environment variable. */
    ENVIRONMENT,
    /** A system property. */
    PROPERTY
  }

  static final ValueOrigin DEFAULT = new ValueOrigin(Layer.DEFAULT, "default", 0);

  public static ValueOrigin file(String name, int line) {
    return new ValueOrigin(Layer.FILE, name, Math.max(line, 0));
  }

  static ValueOrigin environment(String variable) {
    return new ValueOrigin(Layer.ENVIRONMENT, variable, 0);
  }

  static ValueOrigin property(String name) {
    return new ValueOrigin(Layer.PROPERTY, name, 0);
  }

  public boolean isOverride() {
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
