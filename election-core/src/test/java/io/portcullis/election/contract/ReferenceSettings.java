package io.portcullis.election.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The reference.conf next to a class, with some keys set to other values. */
public final class ReferenceSettings implements Settings {
  private static final String FREE = "{}";

  private final Map<String, String> values;
  private final List<String> refusals;
  private final String prefix;

  private ReferenceSettings(Map<String, String> values, List<String> refusals, String prefix) {
    this.values = values;
    this.refusals = refusals;
    this.prefix = prefix;
  }

  /** The settings of a backend where only {@code changes} are set. */
  public static ReferenceSettings of(
      Class<? extends Backend> backend, Map<String, String> changes) {
    return of(backend, "reference.conf", changes);
  }

  /** The settings of a component with another reference name. */
  public static ReferenceSettings of(Class<?> neighbour, String name, Map<String, String> changes) {
    Map<String, String> values = reference(neighbour, name);
    changes.forEach(
        (key, value) -> {
          if (!values.containsKey(key) && !isFree(key, values)) {
            throw new AssertionError(key + " is not in " + name);
          }
          values.put(key, value);
        });
    return new ReferenceSettings(values, new ArrayList<>(), "");
  }

  /** Whether a key is in a section whose names the user defines. */
  private static boolean isFree(String key, Map<String, String> values) {
    int dot = key.lastIndexOf('.');
    return dot > 0 && FREE.equals(values.get(key.substring(0, dot)));
  }

  private static Map<String, String> reference(Class<?> neighbour, String name) {
    Map<String, String> values = new LinkedHashMap<>();
    String section = "";
    for (String line : text(neighbour, name).split("\n", -1)) {
      String trimmed = line.strip();
      if (trimmed.endsWith(" " + FREE)) {
        values.put(section + trimmed.replace(" " + FREE, ""), FREE);
      } else if (trimmed.endsWith("{")) {
        section += trimmed.replace(" {", ".");
      } else if (trimmed.equals("}")) {
        section = section.replaceFirst("[^.]+\\.$", "");
      } else if (trimmed.contains(" = ") && !trimmed.startsWith("#")) {
        String[] parts = trimmed.split(" = ", 2);
        values.put(section + parts[0], parts[1].replace("\"", ""));
      }
    }
    return values;
  }

  private static String text(Class<?> neighbour, String name) {
    try (InputStream in = neighbour.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings that the backend rejected, each with its key. */
  public List<String> refusals() {
    return refusals;
  }

  private Optional<String> find(String key) {
    String value = values.get(prefix + key);
    if (value == null) {
      throw new AssertionError(prefix + key + " is not in reference.conf");
    }
    return value.equals("null") ? Optional.empty() : Optional.of(value);
  }

  private <T> T read(String key, Function<String, T> reader) {
    return reader.apply(find(key).orElseThrow());
  }

  private static Duration length(String text) {
    return text.endsWith("ms")
        ? Duration.ofMillis(Long.parseLong(text.replace("ms", "")))
        : Duration.ofSeconds(Long.parseLong(text.replace("s", "")));
  }

  @Override
  public String text(String key) {
    Optional<String> text = find(key);
    if (text.isEmpty()) {
      refuse(key, "is missing; set it");
    }
    return text.orElse("");
  }

  @Override
  public Optional<String> optionalText(String key) {
    return find(key);
  }

  @Override
  public Duration duration(String key) {
    return read(key, ReferenceSettings::length);
  }

  @Override
  public Optional<Duration> optionalDuration(String key) {
    return find(key).map(ReferenceSettings::length);
  }

  @Override
  public Optional<List<Duration>> optionalDurations(String key) {
    return find(key)
        .map(text -> List.of(text.split(",", -1)).stream().map(ReferenceSettings::length).toList());
  }

  @Override
  public long number(String key, long least, long most) {
    return read(key, Long::valueOf);
  }

  @Override
  public double share(String key) {
    return read(key, text -> Double.parseDouble(text.replace("%", "")) / 100);
  }

  @Override
  public boolean flag(String key) {
    return read(key, Boolean::valueOf);
  }

  @Override
  public String choice(String key, List<String> choices) {
    return text(key);
  }

  @Override
  public Optional<Secret> secret(String key) {
    find(key + "-file");
    return find(key).map(text -> () -> text);
  }

  @Override
  public Map<String, String> entries(String key) {
    if (!FREE.equals(values.get(prefix + key))) {
      throw new AssertionError(prefix + key + " {} is not in reference.conf");
    }
    String inside = prefix + key + ".";
    Map<String, String> entries = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(inside)) {
            entries.put(name.substring(inside.length()), value);
          }
        });
    return entries;
  }

  @Override
  public Settings section(String key) {
    return new ReferenceSettings(values, refusals, prefix + key + ".");
  }

  @Override
  public void refuse(String key, String problem) {
    refusals.add(prefix + key + " " + problem);
  }

  @Override
  public int problems() {
    return refusals.size();
  }
}
