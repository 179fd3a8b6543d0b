package io.portcullis.agent.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Turns the parser's tree into one in which everything knows its key and its place. */
final class Tree {
  static final String RULES = "portcullis.rules";
  static final String RULE = "portcullis.rule.";

  /** Lists whose items go by their ids, and what stands before these. */
  private static final Map<String, String> BY_ID =
      Map.of(RULES, RULE, "portcullis.fences", "portcullis.fence.");

  private final Function<ConfigOrigin, Place> places;

  Tree(Function<ConfigOrigin, Place> places) {
    this.places = places;
  }

  Section section(String path, ConfigObject object) {
    Section section = new Section(path, places.apply(object.origin()));
    Comparator<Map.Entry<String, ConfigValue>> byPlace =
        Comparator.comparing(entry -> places.apply(entry.getValue().origin()));
    object.entrySet().stream()
        .sorted(byPlace.thenComparing(Map.Entry::getKey))
        .forEach(
            entry ->
                section.put(
                    entry.getKey(), node(section.pathOf(entry.getKey()), entry.getValue())));
    return section;
  }

  private Node node(String path, ConfigValue value) {
    if (value instanceof ConfigObject object) {
      return section(path, object);
    }
    Place place = places.apply(value.origin());
    if (value instanceof ConfigList list) {
      List<Node> items = new ArrayList<>();
      list.forEach(item -> items.add(node(itemPath(path, item), item)));
      return new Node.Listing(path, place, items);
    }
    return new Node.Leaf(path, place, value.unwrapped());
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
