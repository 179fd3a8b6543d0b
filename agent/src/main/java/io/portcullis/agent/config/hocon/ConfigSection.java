package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.secret.Secrets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A section of the configuration tree: keys with their values. Changes only while overrides are
 * applied and rule sets are expanded.
 */
public final class ConfigSection implements ConfigNode {
  private final String path;
  private final ValueOrigin place;
  private final Map<String, ConfigNode> children = new LinkedHashMap<>();

  public ConfigSection(String path, ValueOrigin place) {
    this.path = path;
    this.place = place;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public ValueOrigin place() {
    return place;
  }

  @Override
  public @Nullable String written() {
    return null;
  }

  @Override
  public void addSecretsTo(Secrets secrets) {
    children.values().forEach(child -> child.addSecretsTo(secrets));
  }

  public @Nullable ConfigNode get(String key) {
    return children.get(key);
  }

  public void put(String key, ConfigNode node) {
    children.put(key, node);
  }

  public Map<String, ConfigNode> children() {
    return Collections.unmodifiableMap(children);
  }

  /** The section with this key, or a new empty section if there is none. */
  public ConfigSection section(String key) {
    return get(key) instanceof ConfigSection section
        ? section
        : new ConfigSection(pathOf(key), place);
  }

  public String pathOf(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Where the key was set, or this section if it is missing. */
  public ProblemLocation location(String key) {
    ConfigNode node = get(key);
    return node == null ? new ProblemLocation(place, pathOf(key), null) : node.location();
  }

  /** Merges the keys of both sections; those of {@code other} take precedence. */
  public ConfigSection with(ConfigSection other) {
    ConfigSection both = new ConfigSection(path, place);
    both.children.putAll(children);
    both.children.putAll(other.children);
    return both;
  }

  @Override
  public String toString() {
    return path;
  }
}
