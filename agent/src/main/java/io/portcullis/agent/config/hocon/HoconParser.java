package io.portcullis.agent.config.hocon;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.agent.config.hocon.ConfigFile.ConfigFileLocator;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.secret.SecretRedaction;
import java.io.File;
import java.net.URL;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a HOCON file and the files that it includes. Reads nothing from the class path. */
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

  /** Parses a file without resolving its substitutions; returns null if it is invalid. */
  @Nullable ConfigObject parse(Path file, ConfigFileLocator locator) {
    try {
      return parse(file, locator.name(), 0);
    } catch (TextFile.UnreadableFileException e) {
      refuse(
          new ProblemLocation(ValueOrigin.file(locator.name(), e.line), "", null),
          "the configuration " + e.why() + " (" + locator.why() + ")");
    } catch (ConfigException e) {
      ValueOrigin place = origins.place(e);
      refuse(new ProblemLocation(place, "", null), syntax(place, OriginLookup.text(e)));
    } catch (StackOverflowError e) {
      refuse(
          new ProblemLocation(ValueOrigin.file(locator.name(), 0), "", null),
          "sections or lists are nested too deeply; reduce the nesting");
    }
    return null;
  }

  ConfigObject parse(Path file, String shown, int depth) throws TextFile.UnreadableFileException {
    files.add(file);
    HoconPreprocessor preprocessor = HoconPreprocessor.of(TextFile.read(file, MAX_BYTES));
    String text = preprocessor.text();
    for (int line : preprocessor.mergedLines()) {
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

  /** The files that were parsed so far, including unreadable ones. */
  List<Path> files() {
    return List.copyOf(files);
  }

  void refuse(ProblemLocation location, String why) {
    problems.refuse(location, why);
  }

  /**
   * Describes a syntax error. The parser's message quotes the input, so it is omitted where the
   * input may contain a secret.
   */
  private String syntax(ValueOrigin place, String message) {
    List<String> all = lines.getOrDefault(place.name(), List.of());
    int from = Math.max(place.line() - 2, 0);
    int to = Math.min(place.line() + 1, all.size());
    boolean secret =
        from < to
            && all.subList(from, to).stream()
                .anyMatch(
                    line ->
                        !SecretRedaction.hiddenIn(line).isEmpty()
                            || !SecretRedaction.shown("", line).equals(line)
                            || SecretRedaction.isSecretKey(line));
    return secret
        ? "not HOCON: put the values around here into double quotes, and look for a missing brace"
            + " or comma (the parser's message is omitted, since it may quote a secret)"
        : "not HOCON: "
            + message.replace(
                ", or you may be able to rename the file .properties rather than .conf", "");
  }

  /**
   * Resolves {@code include "…"}: only files are allowed, relative to the including file; URLs and
   * the class path are refused. A missing file is a problem and not ignored, since it may contain
   * the rules.
   */
  static final class FileIncluder
      implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private static final Pattern URL_LIKE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");
    private static final int MAX_DEPTH = 10;

    private final HoconParser parser;
    private final Path file;
    private final String shown;
    private final String text;
    private final int depth;

    FileIncluder(HoconParser parser, Path file, String shown, String text, int depth) {
      this.parser = parser;
      this.file = file;
      this.shown = shown;
      this.text = text;
      this.depth = depth;
    }

    /** Ignores the fallback, because it could include from the class path or the network. */
    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
      return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
      return URL_LIKE.matcher(what).matches() ? refuseUrl(what) : included(what);
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
      return included(what.getPath());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
      return refuseUrl(what.toString());
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
      return refused(what, "includes can't read from the class path; write include \"<file>\"");
    }

    private ConfigObject refuseUrl(String what) {
      return refused(
          what, "includes can't read from URLs; copy it next to this file and include the copy");
    }

    private ConfigObject included(String name) {
      if (depth >= MAX_DEPTH) {
        return refused(
            name, "includes are nested more than " + MAX_DEPTH + " deep; look for a cycle");
      }
      try {
        Path sibling = file.resolveSibling(name);
        Path shownSibling = Path.of(shown).resolveSibling(name).normalize();
        return parser.parse(sibling, shownSibling.toString(), depth + 1);
      } catch (InvalidPathException e) {
        return refused(name, "this is not a valid file path");
      } catch (TextFile.UnreadableFileException e) {
        return refused(name, "the included file " + e.why());
      }
    }

    private ConfigObject refused(String what, String why) {
      parser.refuse(
          new ProblemLocation(ValueOrigin.file(shown, lineOf(what)), "include", what), why);
      return ConfigFactory.empty().root();
    }

    /** The parser does not report the line of an include, so the text is searched for it. */
    private int lineOf(String what) {
      List<String> lines = text.lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains("include") && lines.get(i).contains(what)) {
          return i + 1;
        }
      }
      return 0;
    }
  }

  /**
   * Scans the text before it is parsed, for two peculiarities of HOCON.
   *
   * <p>{@code include} is a reserved word of HOCON, and was the key for rule sets in earlier
   * versions. If an assignment follows it, this class quotes it. {@link KeyCheck} then reports an
   * unknown key, with its line and the key's new name, instead of a syntax error of the parser.
   * Line numbers do not change.
   *
   * <p>HOCON merges two adjacent sections without a comma between them: the second overrides the
   * first. Of two rules written that way, one would be lost and its methods left ungated. Such
   * places are therefore collected and refused.
   */
  static final class HoconPreprocessor {
    private static final String FORMER_KEY = KeyCheck.FORMER_RULE_SETS;
    private static final String BLOCK_QUOTE = "\"\"\"";

    private final String text;
    private final StringBuilder quoted = new StringBuilder();
    private final List<Integer> mergedLines = new ArrayList<>();
    private int at;
    private int line = 1;
    private boolean fieldMayStart = true;
    private boolean sectionEnded;
    private boolean inSubstitution;

    private HoconPreprocessor(String text) {
      this.text = text;
    }

    static HoconPreprocessor of(String text) {
      HoconPreprocessor preprocessor = new HoconPreprocessor(text);
      preprocessor.walk();
      return preprocessor;
    }

    /** The text with the former key quoted. */
    String text() {
      return quoted.toString();
    }

    /** The lines on which a section starts directly after another one. */
    List<Integer> mergedLines() {
      return List.copyOf(mergedLines);
    }

    private void walk() {
      while (at < text.length()) {
        if (text.startsWith(BLOCK_QUOTE, at)) {
          quotedValue(endOf(BLOCK_QUOTE, at + BLOCK_QUOTE.length()));
        } else if (text.charAt(at) == '"') {
          quotedValue(endOfString());
        } else if (text.charAt(at) == '#' || text.startsWith("//", at)) {
          int end = text.indexOf('\n', at);
          copyTo(end < 0 ? text.length() : end);
        } else if (fieldMayStart && isKey()) {
          quoted.append('"').append(FORMER_KEY).append('"');
          at += FORMER_KEY.length();
          fieldMayStart = false;
        } else {
          delimiterOrText(text.charAt(at));
        }
      }
    }

    private void quotedValue(int end) {
      fieldMayStart = false;
      sectionEnded = false;
      copyTo(end);
    }

    private void delimiterOrText(char next) {
      if (next == '{' && sectionEnded) {
        mergedLines.add(line);
      }
      inSubstitution |= text.startsWith("${", at);
      boolean blank = isBlank(next) && next != '\n';
      sectionEnded = (next == '}' && !inSubstitution) || (sectionEnded && blank);
      inSubstitution &= next != '}' && next != '\n';
      fieldMayStart = "{,\n".indexOf(next) >= 0 || (fieldMayStart && blank);
      copyTo(at + 1);
    }

    private boolean isKey() {
      if (!text.startsWith(FORMER_KEY, at)) {
        return false;
      }
      int after = at + FORMER_KEY.length();
      while (after < text.length() && (text.charAt(after) == ' ' || text.charAt(after) == '\t')) {
        after++;
      }
      return after < text.length()
          && ("=:".indexOf(text.charAt(after)) >= 0 || text.startsWith("+=", after));
    }

    private int endOfString() {
      int end = at + 1;
      while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\n') {
        end += text.charAt(end) == '\\' ? 2 : 1;
      }
      return Math.min(end + 1, text.length());
    }

    private int endOf(String mark, int from) {
      int end = text.indexOf(mark, from);
      return end < 0 ? text.length() : end + mark.length();
    }

    private void copyTo(int end) {
      for (int i = at; i < end; i++) {
        line += text.charAt(i) == '\n' ? 1 : 0;
      }
      quoted.append(text, at, end);
      at = end;
    }

    private static boolean isBlank(char next) {
      return Character.isWhitespace(next) || next == '\uFEFF';
    }
  }
}
