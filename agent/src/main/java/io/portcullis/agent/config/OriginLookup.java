package io.portcullis.agent.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds back where a value came from. Each file is known to the parser by a number, since a file's
 * name may look like anything, also like the parser's own way to write several origins in one text.
 */
final class OriginLookup {
  private static final Pattern FILE = Pattern.compile("file#(\\d+)(?:: (\\d+))?");
  private static final String VARIABLE = "variable#";

  private final List<String> files = new ArrayList<>();

  /** The name under which the parser is to know this file. */
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

  /** What the parser says, without the place before it. */
  static String text(ConfigException e) {
    return String.valueOf(e.getMessage()).replaceFirst("^file#\\d+(: \\d+(-\\d+)?)?: *", "");
  }
}
