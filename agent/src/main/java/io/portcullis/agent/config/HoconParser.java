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
  private static final int MOST_BYTES = 1024 * 1024;

  private final Origins origins;
  private final Problems problems;
  private final Map<String, List<String>> lines = new HashMap<>();
  private final List<Path> files = new ArrayList<>();

  HoconParser(Origins origins, Problems problems) {
    this.origins = origins;
    this.problems = problems;
  }

  /** The file's tree with its substitutions still open; null if it was refused. */
  @Nullable ConfigObject parse(Path file, Location location) {
    try {
      return parse(file, location.name(), 0);
    } catch (TextFile.Unreadable e) {
      refuse(
          new Spot(Place.file(location.name(), e.line), "", null),
          "the configuration " + e.why() + " (" + location.why() + ")");
    } catch (ConfigException e) {
      Place place = origins.place(e);
      refuse(new Spot(place, "", null), syntax(place, Origins.text(e)));
    } catch (StackOverflowError e) {
      refuse(
          new Spot(Place.file(location.name(), 0), "", null),
          "sections or lists are nested too deeply to be read; write fewer inside each other");
    }
    return null;
  }

  ConfigObject parse(Path file, String shown, int depth) throws TextFile.Unreadable {
    files.add(file);
    Prescan scan = Prescan.of(TextFile.read(file, MOST_BYTES));
    String text = scan.text();
    for (int line : scan.mergedLines()) {
      refuse(
          new Spot(Place.file(shown, line), "", null),
          "two sections side by side would become one; write a comma or a line break between them");
    }
    lines.put(shown, text.lines().toList());
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setOriginDescription(origins.add(shown))
            .setClassLoader(HoconParser.class.getClassLoader())
            .setIncluder(new Includes(this, file, shown, text, depth));
    return ConfigFactory.parseString(text, options).root();
  }

  /** The files that were read so far, with those that could not be. */
  List<Path> files() {
    return List.copyOf(files);
  }

  void refuse(Spot spot, String why) {
    problems.refuse(spot, why);
  }

  /** The parser quotes what it met; where that may be a secret, its words are left out. */
  private String syntax(Place place, String said) {
    List<String> of = lines.getOrDefault(place.name(), List.of());
    int from = Math.max(place.line() - 2, 0);
    int to = Math.min(place.line() + 1, of.size());
    boolean secret =
        from < to
            && of.subList(from, to).stream()
                .anyMatch(
                    line ->
                        !Redaction.hiddenIn(line).isEmpty()
                            || !Redaction.shown("", line).equals(line)
                            || Redaction.isSecretKey(line));
    return secret
        ? "not HOCON: put the values around here into double quotes, and look for a missing brace"
            + " or comma (the parser's words are left out, since they may quote a secret)"
        : "not HOCON: "
            + said.replace(
                ", or you may be able to rename the file .properties rather than .conf", "");
  }
}
