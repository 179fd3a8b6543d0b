package io.portcullis.agent.config;

/**
 * Where a value was set.
 *
 * @param layer which of the layers, weakest first
 * @param name the file, the variable or the property
 * @param line the line in a file, or 0
 */
public record Place(Layer layer, String name, int line) implements Comparable<Place> {
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

  static final Place DEFAULT = new Place(Layer.DEFAULT, "default", 0);

  static Place file(String name, int line) {
    return new Place(Layer.FILE, name, Math.max(line, 0));
  }

  static Place environment(String variable) {
    return new Place(Layer.ENVIRONMENT, variable, 0);
  }

  static Place property(String name) {
    return new Place(Layer.PROPERTY, name, 0);
  }

  boolean isOverride() {
    return layer == Layer.ENVIRONMENT || layer == Layer.PROPERTY;
  }

  @Override
  public int compareTo(Place other) {
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
