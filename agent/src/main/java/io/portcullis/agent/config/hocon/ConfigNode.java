package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.secret.Secrets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node of the configuration tree, with its key and the origin of its value. */
public sealed interface ConfigNode permits ConfigSection, ConfigNode.Leaf, ConfigNode.Listing {

  /** The full key. */
  String path();

  ValueOrigin place();

  /** The value as it was written, null for a section. */
  @Nullable String written();

  default ProblemLocation location() {
    return new ProblemLocation(place(), path(), written());
  }

  /** Adds every secret in this tree that is not in a separate file. */
  void addSecretsTo(Secrets secrets);

  /** Whether the key is set to null, which has the same effect as not setting it. */
  default boolean isUnset() {
    return this instanceof Leaf leaf && leaf.value() == null;
  }

  /**
   * A single value.
   *
   * @param value a string, a number, a boolean, or null
   */
  record Leaf(String path, ValueOrigin place, @Nullable Object value) implements ConfigNode {
    public String text() {
      return String.valueOf(value);
    }

    @Override
    public String written() {
      return text();
    }

    @Override
    public void addSecretsTo(Secrets secrets) {
      if (value instanceof String secret) {
        secrets.learnFrom(path, secret);
      }
    }

    @Override
    public String toString() {
      return path;
    }
  }

  /** A list of values, in order. */
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
    public void addSecretsTo(Secrets secrets) {
      items.forEach(item -> item.addSecretsTo(secrets));
    }

    @Override
    public String toString() {
      return path;
    }
  }
}
