package io.portcullis.election.backend;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keys and defaults in the {@code reference.conf} beside a backend class. The file is read without
 * a HOCON parser, so that the library needs none and yet has the defaults of the agent. Each line
 * must be a key, a section start, a section end or a comment. Any other line is an error.
 */
final class ReferenceConf {
  private static final Pattern OPEN = Pattern.compile("([a-z-]+) \\{");
  private static final Pattern FREE = Pattern.compile("([a-z-]+) ?\\{ ?}");
  private static final Pattern VALUE = Pattern.compile("([a-z-]+) = (\"[^\"]*\"|[^\"]+)");

  private final Map<String, Optional<String>> values = new LinkedHashMap<>();
  private final Set<String> freeSections = new LinkedHashSet<>();

  private ReferenceConf() {}

  static ReferenceConf of(Class<? extends Backend> backend) {
    try (InputStream in = backend.getResourceAsStream("reference.conf")) {
      if (in == null) {
        throw new IllegalStateException("no reference.conf beside " + backend.getName());
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ReferenceConf parse(String text) {
    ReferenceConf conf = new ReferenceConf();
    Deque<String> path = new ArrayDeque<>();
    path.push("");
    text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .forEach(line -> conf.add(line, path));
    if (path.size() != 1) {
      throw new IllegalStateException("reference.conf: the section " + path.peek() + " is open");
    }
    return conf;
  }

  private void add(String line, Deque<String> path) {
    Matcher value = VALUE.matcher(line);
    Matcher free = FREE.matcher(line);
    Matcher open = OPEN.matcher(line);
    if (value.matches()) {
      values.put(path.peek() + value.group(1), valueOf(value.group(2)));
    } else if (free.matches()) {
      freeSections.add(path.peek() + free.group(1));
    } else if (open.matches()) {
      path.push(path.peek() + open.group(1) + ".");
    } else if (line.equals("}") && path.size() > 1) {
      path.pop();
    } else {
      throw new IllegalStateException("reference.conf: can't read this line: " + line);
    }
  }

  private static Optional<String> valueOf(String text) {
    if (text.startsWith("\"")) {
      return Optional.of(text.substring(1, text.length() - 1));
    }
    return text.equals("null") ? Optional.empty() : Optional.of(text);
  }

  /** The default of a key, null if it has none. */
  @Nullable String get(String path) {
    Optional<String> value = values.get(path);
    if (value == null) {
      throw new IllegalArgumentException("reference.conf has no key " + path);
    }
    return value.orElse(null);
  }

  /** Whether the user chooses the keys of this section. */
  boolean isFreeSection(String path) {
    return freeSections.contains(path);
  }
}
