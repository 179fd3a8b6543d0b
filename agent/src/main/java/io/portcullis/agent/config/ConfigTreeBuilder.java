package io.portcullis.agent.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Turns the parser's tree into one in which everything knows its key and its place. */
final class ConfigTreeBuilder {
  static final String RULES = "portcullis.rules";
  static final String RULE = "portcullis.rule.";

  /** Lists whose items go by their ids, and what stands before these. */
  private static final Map<String, String> BY_ID =
      Map.of(RULES, RULE, "portcullis.fences", "portcullis.fence.");

  private final Function<ConfigOrigin, ValueOrigin> places;

  ConfigTreeBuilder(Function<ConfigOrigin, ValueOrigin> places) {
    this.places = places;
  }

  ConfigSection section(String path, ConfigObject object) {
    return section(path, object, object.keySet());
  }

  /** Of these keys only. */
  ConfigSection section(String path, ConfigObject object, Set<String> keys) {
    ConfigSection section = new ConfigSection(path, places.apply(object.origin()));
    List<Entry> entries = new ArrayList<>();
    for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
      if (keys.contains(entry.getKey())) {
        ValueOrigin place = places.apply(entry.getValue().origin());
        entries.add(new Entry(place, entry.getKey(), entry.getValue()));
      }
    }
    Collections.sort(entries);
    for (Entry entry : entries) {
      section.put(entry.key, node(section.pathOf(entry.key), entry.value));
    }
    return section;
  }

  /** What stands first in a file comes first. */
  private record Entry(ValueOrigin place, String key, ConfigValue value)
      implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byPlace = place.compareTo(other.place);
      return byPlace != 0 ? byPlace : key.compareTo(other.key);
    }
  }

  private ConfigNode node(String path, ConfigValue value) {
    if (value instanceof ConfigObject object) {
      return section(path, object);
    }
    ValueOrigin place = places.apply(value.origin());
    if (value instanceof ConfigList list) {
      List<ConfigNode> items = new ArrayList<>();
      for (ConfigValue item : list) {
        items.add(node(itemPath(path, item), item));
      }
      return new ConfigNode.Listing(path, place, items);
    }
    return new ConfigNode.Leaf(path, place, value.unwrapped());
  }

  /** A rule goes by its id, also in messages: that is how an override addresses it. */
  private static String itemPath(String path, ConfigValue item) {
    String prefix = BY_ID.get(path);
    if (prefix != null && item instanceof ConfigObject section) {
      ConfigValue id = section.get("id");
      if (id != null && id.unwrapped() != null) {
        return prefix + id.unwrapped();
      }
    }
    return path;
  }
}
