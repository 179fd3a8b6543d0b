package io.portcullis.agent.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses a file and what it includes, and nothing else. */
final class HoconParser {
  private static final int MAX_BYTES = 1024 * 1024;

  private final OriginLookup origins;
  private final ConfigProblems problems;
  private final Map<String, List<String>> lines = new HashMap<>();
  private final List<Path> files = new ArrayList<>();

  HoconParser(OriginLookup origins, ConfigProblems problems) {
    this.origins = origins;
    this.problems = problems;
  }

  /** The file's tree with its substitutions still open; null if it was refused. */
  @Nullable ConfigObject parse(Path file, ConfigFileLocator location) {
    try {
      return parse(file, location.name(), 0);
    } catch (TextFile.Unreadable e) {
      refuse(
          new ProblemLocation(ValueOrigin.file(location.name(), e.line), "", null),
          "the configuration " + e.why() + " (" + location.why() + ")");
    } catch (ConfigException e) {
      ValueOrigin place = origins.place(e);
      refuse(new ProblemLocation(place, "", null), syntax(place, OriginLookup.text(e)));
    } catch (StackOverflowError e) {
      refuse(
          new ProblemLocation(ValueOrigin.file(location.name(), 0), "", null),
          "sections or lists are nested too deeply to be read; write fewer inside each other");
    }
    return null;
  }

  ConfigObject parse(Path file, String shown, int depth) throws TextFile.Unreadable {
    files.add(file);
    HoconPreprocessor scan = HoconPreprocessor.of(TextFile.read(file, MAX_BYTES));
    String text = scan.text();
    for (int line : scan.mergedLines()) {
      refuse(
          new ProblemLocation(ValueOrigin.file(shown, line), "", null),
          "two sections side by side would become one; write a comma or a line break between them");
    }
    lines.put(shown, text.lines().toList());
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setOriginDescription(origins.add(shown))
            .setClassLoader(HoconParser.class.getClassLoader())
            .setIncluder(new FileIncluder(this, file, shown, text, depth));
    return ConfigFactory.parseString(text, options).root();
  }

  /** The files that were read so far, with those that could not be. */
  List<Path> files() {
    return List.copyOf(files);
  }

  void refuse(ProblemLocation spot, String why) {
    problems.refuse(spot, why);
  }

  /** The parser quotes what it met; where that may be a secret, its words are left out. */
  private String syntax(ValueOrigin place, String said) {
    List<String> of = lines.getOrDefault(place.name(), List.of());
    int from = Math.max(place.line() - 2, 0);
    int to = Math.min(place.line() + 1, of.size());
    boolean secret =
        from < to
            && of.subList(from, to).stream()
                .anyMatch(
                    line ->
                        !SecretRedaction.hiddenIn(line).isEmpty()
                            || !SecretRedaction.shown("", line).equals(line)
                            || SecretRedaction.isSecretKey(line));
    return secret
        ? "not HOCON: put the values around here into double quotes, and look for a missing brace"
            + " or comma (the parser's words are left out, since they may quote a secret)"
        : "not HOCON: "
            + said.replace(
                ", or you may be able to rename the file .properties rather than .conf", "");
  }
}
