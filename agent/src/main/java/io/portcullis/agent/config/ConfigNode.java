package io.portcullis.agent.config;

import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A part of the configuration's tree that knows its key and where it was set. */
sealed interface ConfigNode permits ConfigSection, ConfigNode.Leaf, ConfigNode.Listing {

  /** The whole key. */
  String path();

  ValueOrigin place();

  /** How it was written, or null for a section. */
  @Nullable String written();

  default ProblemLocation spot() {
    return new ProblemLocation(place(), path(), written());
  }

  /** True of a key that was set to nothing, which is as if it had not been set. */
  default boolean isUnset() {
    return this instanceof Leaf leaf && leaf.value() == null;
  }

  /**
   * One value.
   *
   * @param value a text, a number, a truth value, or null
   */
  record Leaf(String path, ValueOrigin place, @Nullable Object value) implements ConfigNode {
    String text() {
      return String.valueOf(value);
    }

    @Override
    public String written() {
      return text();
    }

    @Override
    public String toString() {
      return path;
    }
  }

  /** Several values in order. */
  record Listing(String path, ValueOrigin place, List<ConfigNode> items) implements ConfigNode {
    public Listing {
      items = List.copyOf(items);
    }

    @Override
    public String written() {
      return items.stream()
          .map(item -> item.written() == null ? "{…}" : item.written())
          .collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public String toString() {
      return path;
    }
  }
}
