package io.portcullis.agent.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys and what they are set to. Changes only while the layers are laid over each other. */
final class Section implements Node {
  private final String path;
  private final Place place;
  private final Map<String, Node> children = new LinkedHashMap<>();

  Section(String path, Place place) {
    this.path = path;
    this.place = place;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Place place() {
    return place;
  }

  @Override
  public @Nullable String written() {
    return null;
  }

  @Nullable Node get(String key) {
    return children.get(key);
  }

  void put(String key, Node node) {
    children.put(key, node);
  }

  Map<String, Node> children() {
    return Collections.unmodifiableMap(children);
  }

  /** The section under this key, or an empty one in its place. */
  Section section(String key) {
    return get(key) instanceof Section section ? section : new Section(pathOf(key), place);
  }

  String pathOf(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The key's own spot, or where it is missing. */
  Spot spot(String key) {
    Node node = get(key);
    return node == null ? new Spot(place, pathOf(key), null) : node.spot();
  }

  /** All keys of both; those of {@code other} win. */
  Section with(Section other) {
    Section both = new Section(path, place);
    both.children.putAll(children);
    both.children.putAll(other.children);
    return both;
  }

  @Override
  public String toString() {
    return path;
  }
}
