package io.portcullis.agent.config.hocon;

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

/** Converts the parser's tree to a tree of {@link ConfigNode}s, with their keys and origins. */
public final class ConfigTreeBuilder {
  static final String RULES = "portcullis.rules";
  public static final String RULE = "portcullis.rule.";

  /** Lists whose items are addressed by id, with the prefix of the ids. */
  private static final Map<String, String> BY_ID =
      Map.of(RULES, RULE, "portcullis.fences", "portcullis.fence.");

  private final Function<ConfigOrigin, ValueOrigin> places;

  public ConfigTreeBuilder(Function<ConfigOrigin, ValueOrigin> places) {
    this.places = places;
  }

  public ConfigSection section(String path, ConfigObject object) {
    return section(path, object, object.keySet());
  }

  /** Converts only these keys. */
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

  /** Sorts entries in the order of the file. */
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

  /** The path of a rule or fence contains its id, also in messages, as overrides address it. */
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
