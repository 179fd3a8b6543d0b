package io.portcullis.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A piece of YAML: what is asked for must be there.
 *
 * @param where how it was reached, for messages
 */
record Yaml(String where, @Nullable Object value) {

  static List<Yaml> read(Path file) throws IOException {
    return parse(String.valueOf(file.getFileName()), Files.readString(file));
  }

  /** All documents of a text; a key that comes twice is refused. */
  static List<Yaml> parse(String name, String text) {
    LoadSettings settings = LoadSettings.builder().setLabel(name).build();
    List<Yaml> documents = new ArrayList<>();
    for (Object document : new Load(settings).loadAllFromString(text)) {
      documents.add(new Yaml(name, document));
    }
    return documents;
  }

  /** What lies below, key by key. */
  Yaml at(String... path) {
    Yaml here = this;
    for (String key : path) {
      Object found = here.map().get(key);
      if (found == null) {
        throw new AssertionError(here.where + " has no " + key);
      }
      here = new Yaml(here.where + "." + key, found);
    }
    return here;
  }

  boolean has(String key) {
    return map().get(key) != null;
  }

  Set<String> keys() {
    return map().keySet();
  }

  String text(String... path) {
    return String.valueOf(at(path).value);
  }

  int number(String... path) {
    return Integer.parseInt(text(path));
  }

  List<Yaml> items(String... path) {
    Yaml list = at(path);
    if (!(list.value instanceof List<?> items)) {
      throw new AssertionError(list.where + " is no list");
    }
    return items.stream().map(item -> new Yaml(list.where + "[]", item)).toList();
  }

  List<String> texts(String... path) {
    return items(path).stream().map(item -> String.valueOf(item.value)).toList();
  }

  /** The entry of a list that bears this name. */
  Yaml named(String name, String... path) {
    return items(path).stream()
        .filter(item -> item.text("name").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(at(path).where + " has none named " + name));
  }

  private Map<String, Object> map() {
    if (!(value instanceof Map<?, ?> entries)) {
      throw new AssertionError(where + " has no keys");
    }
    Map<String, Object> map = new TreeMap<>();
    entries.forEach((key, entry) -> map.put(String.valueOf(key), entry));
    return map;
  }
}
