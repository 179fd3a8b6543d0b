package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.SettingsFile;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of an application's settings files. Profiles other than Quarkus' {@code prod}, environment
 * variables and files outside the application are not seen.
 */
final class ApplicationSettings {
  private static final Pattern XML_PROPERTY =
      Pattern.compile(
          "<property\\s+name=\"([^\"]+)\"(?:\\s+value=\"([^\"]*)\"|\\s*>\\s*([^<]*?)\\s*</property>)");
  private static final Pattern YAML_LINE = Pattern.compile("( *)([\\w.-]+):(?: +(.*))?");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}:]*:?([^}]*)}");

  /**
   * A value and where it is from.
   *
   * @param text empty if it is known only at run time
   */
  record SettingValue(String text, String place) {}

  private final Map<String, SettingValue> values = new HashMap<>();

  ApplicationSettings(List<SettingsFile> files) {
    for (SettingsFile file : files) {
      String place = file.name();
      if (file.name().endsWith(".properties")) {
        properties(file.text()).forEach((key, value) -> put(key, value, place));
      } else if (file.name().endsWith(".xml")) {
        xml(file.text()).forEach((key, value) -> put(key, value, place));
      } else {
        yaml(file.text()).forEach((key, value) -> put(key, value, place));
      }
    }
  }

  /** Returns the value of the first of these keys that is set. */
  Optional<SettingValue> find(String... keys) {
    for (String key : keys) {
      SettingValue value = values.getOrDefault("%prod." + key, values.get(key));
      if (value != null) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  String text(String key, String defaultText) {
    return find(key).map(SettingValue::text).orElse(defaultText);
  }

  private void put(String key, String value, String place) {
    Matcher placeholder = PLACEHOLDER.matcher(value.trim());
    String resolved = placeholder.matches() ? placeholder.group(1) : value.trim();
    values.putIfAbsent(
        key, new SettingValue(resolved.contains("${") ? "" : resolved, key + " in " + place));
  }

  private static Map<String, String> properties(String text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      return Map.of(); // A file that the application can't read either.
    }
    Map<String, String> values = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    return values;
  }

  private static Map<String, String> xml(String text) {
    Map<String, String> values = new HashMap<>();
    Matcher property = XML_PROPERTY.matcher(text);
    while (property.find()) {
      String value = property.group(2) != null ? property.group(2) : property.group(3);
      values.put(property.group(1), value);
    }
    return values;
  }

  /** Reads nested keys with plain values from the first document; ignores everything else. */
  private static Map<String, String> yaml(String text) {
    Map<String, String> values = new HashMap<>();
    Deque<YamlKey> above = new ArrayDeque<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("---") && !values.isEmpty()) {
        break; // Later documents are for profiles.
      }
      Matcher key = YAML_LINE.matcher(line.replaceFirst("\\s+#.*$", "").stripTrailing());
      if (!key.matches()) {
        continue;
      }
      int indent = key.group(1).length();
      while (!above.isEmpty() && above.getLast().indent() >= indent) {
        above.removeLast();
      }
      String path = (above.isEmpty() ? "" : above.getLast().path() + ".") + key.group(2);
      above.addLast(new YamlKey(indent, path));
      if (key.group(3) != null && !key.group(3).isBlank()) {
        values.put(path, key.group(3).trim().replaceAll("^([\"'])(.*)\\1$", "$2"));
      }
    }
    return values;
  }

  private record YamlKey(int indent, String path) {}
}
