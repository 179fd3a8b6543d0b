package io.portcullis.agent.config.hocon;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maps the parser's origins to files and variables. Each file is registered with the parser under a
 * number: a file name may contain anything, including the parser's own notation for a combined
 * origin.
 */
final class OriginLookup {
  private static final Pattern FILE = Pattern.compile("file#(\\d+)(?:: (\\d+))?");
  private static final String VARIABLE = "variable#";

  private final List<String> files = new ArrayList<>();

  /** Registers a file; returns the origin description for the parser. */
  String add(String file) {
    files.add(file);
    return "file#" + (files.size() - 1);
  }

  static String variable(String name) {
    return VARIABLE + name;
  }

  ValueOrigin place(ConfigOrigin origin) {
    String description = origin.description();
    Matcher file = FILE.matcher(description);
    if (file.find()) {
      int line = file.group(2) == null ? 0 : Integer.parseInt(file.group(2));
      return ValueOrigin.file(files.get(Integer.parseInt(file.group(1))), line);
    }
    return description.startsWith(VARIABLE)
        ? ValueOrigin.environment(description.substring(VARIABLE.length()))
        : ValueOrigin.file(files.get(0), 0);
  }

  ValueOrigin place(ConfigException e) {
    if (e.origin() != null) {
      return place(e.origin());
    }
    Matcher file = FILE.matcher(String.valueOf(e.getMessage()));
    return file.find()
        ? ValueOrigin.file(
            files.get(Integer.parseInt(file.group(1))),
            file.group(2) == null ? 0 : Integer.parseInt(file.group(2)))
        : ValueOrigin.file(files.get(0), 0);
  }

  /** The parser's message without the origin at its start. */
  static String text(ConfigException e) {
    return String.valueOf(e.getMessage()).replaceFirst("^file#\\d+(: \\d+(-\\d+)?)?: *", "");
  }
}
