package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ListFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Catalogue of APIs that write, read from {@code catalogue.txt}. */
final class WriteCatalogue {
  static final WriteCatalogue KNOWN = read();

  /** The writing methods of one type, with the name of their API. */
  private record Entry(String api, List<String> names) {
    boolean has(String method) {
      return names.stream().anyMatch(name -> matches(name, method));
    }
  }

  /** Whether a method name matches a name of the catalogue; {@code *} matches any suffix. */
  static boolean matches(String name, String method) {
    return name.endsWith("*")
        ? method.startsWith(name.substring(0, name.length() - 1))
        : method.equals(name);
  }

  private final Map<String, List<Entry>> types = new HashMap<>();
  private final Map<String, String> annotations = new HashMap<>();

  private WriteCatalogue() {}

  /** Returns the API whose writing method has this name, for a type with these supertypes. */
  Optional<String> api(Collection<String> withSupertypes, String method) {
    for (String type : withSupertypes) {
      for (Entry entry : types.getOrDefault(type, List.of())) {
        if (entry.has(method)) {
          return Optional.of(entry.api());
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the API for which one of these annotations marks a writing method. */
  Optional<String> api(Collection<String> methodAnnotations) {
    return methodAnnotations.stream()
        .filter(annotations::containsKey)
        .map(annotations::get)
        .findFirst();
  }

  private static WriteCatalogue read() {
    WriteCatalogue catalogue = new WriteCatalogue();
    ListFile.lines(WriteCatalogue.class, "catalogue.txt")
        .forEach(line -> catalogue.add(List.of(line.trim().split(" +", -1))));
    return catalogue;
  }

  private void add(List<String> words) {
    String type = words.get(1);
    if (type.startsWith("@")) {
      annotations.put(type.substring(1), words.get(0));
    } else {
      types
          .computeIfAbsent(type, name -> new ArrayList<>())
          .add(new Entry(words.get(0), words.subList(2, words.size())));
    }
  }
}
