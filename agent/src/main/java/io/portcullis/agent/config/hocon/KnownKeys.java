package io.portcullis.agent.config.hocon;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All keys that a configuration may contain; finds the sections in which a key is valid. */
public final class KnownKeys {
  private static final int MAX_PLACES = 3;

  private final Map<String, ConfigSection> sections = new LinkedHashMap<>();

  /**
   * Adds the keys of a section and of its subsections; replaces those added for the same place.
   *
   * @param place the section's path, or a description of it
   */
  public KnownKeys add(String place, ConfigSection reference) {
    sections.put(place, reference);
    return this;
  }

  /** Describes where the key belongs, such as {@code "; it belongs into x or y"}; may be empty. */
  String belongs(String key, ConfigNode node) {
    List<String> places = new ArrayList<>();
    boolean section = node instanceof ConfigSection;
    sections.forEach((place, reference) -> find(key, section, place, reference, places));
    return places.isEmpty() || places.size() > MAX_PLACES
        ? ""
        : "; it belongs into " + String.join(" or ", places);
  }

  private static void find(
      String key, boolean section, String place, ConfigSection reference, List<String> places) {
    ConfigNode found = reference.get(key);
    if (found != null && found instanceof ConfigSection == section) {
      places.add(place);
    }
    for (Map.Entry<String, ConfigNode> entry : reference.children().entrySet()) {
      if (entry.getValue() instanceof ConfigSection inner) {
        find(key, section, place + "." + entry.getKey(), inner, places);
      }
    }
  }
}
