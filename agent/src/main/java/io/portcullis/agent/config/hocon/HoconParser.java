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
import io.portcullis.agent.config.hocon.BracketMatcher.UnmatchedBracket;
import io.portcullis.agent.config.hocon.ConfigFile.ConfigFileLocator;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.hocon.HoconPreprocessor.UnquotedHash;
import io.portcullis.agent.config.secret.SecretRedaction;
import java.io.File;
import java.net.URL;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a HOCON file and the files that it includes. Reads nothing from the class path. */
final class HoconParser {
  private static final int MAX_BYTES = 1024 * 1024;

  private final OriginLookup origins;
  private final ConfigProblems problems;
  private final Map<String, HoconPreprocessor> preprocessed = new HashMap<>();
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
          locator.unreadable(e, file.toAbsolutePath().normalize()));
    } catch (ConfigException e) {
      refuseSyntax(origins.place(e), OriginLookup.text(e));
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
    for (UnquotedHash hash : preprocessor.unquotedHashes()) {
      refuse(
          new ProblemLocation(ValueOrigin.file(shown, hash.line()), "", null),
          unquoted(hash, preprocessor.lines().get(hash.line() - 1)));
    }
    preprocessed.put(shown, preprocessor);
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

  private static String unquoted(UnquotedHash hash, String line) {
    String why = "# starts a comment, also without a space before it";
    return mayContainSecret(line)
        ? why + ", so the end of this value would be lost; put the value into double quotes"
        : why
            + ", so only "
            + hash.read()
            + " would be read; write the value in double quotes: \""
            + hash.written()
            + "\"";
  }

  /** Reports a syntax error, at the bracket that most likely caused it. */
  private void refuseSyntax(ValueOrigin place, String message) {
    HoconPreprocessor file = preprocessed.get(place.name());
    if (file == null) {
      refuse(new ProblemLocation(place, "", null), syntax(place, List.of(), message));
    } else if (file.unquotedHashes().isEmpty()) { // A comment may have hidden a brace.
      Optional<UnmatchedBracket> unmatched = file.unmatchedBracket();
      if (unmatched.isPresent() && place.line() >= unmatched.get().noticed()) {
        ValueOrigin bracket = ValueOrigin.file(place.name(), unmatched.get().line());
        refuse(new ProblemLocation(bracket, "", null), "not HOCON: " + unmatched.get().sentence());
      } else {
        String also = unmatched.map(found -> "; also, " + found.sentence()).orElse("");
        refuse(new ProblemLocation(place, "", null), syntax(place, file.lines(), message) + also);
      }
    }
  }

  /**
   * Describes a syntax error. The parser's message quotes the input, so it is omitted where the
   * input may contain a secret.
   */
  private static String syntax(ValueOrigin place, List<String> all, String message) {
    int from = Math.max(place.line() - 2, 0);
    int to = Math.min(place.line() + 1, all.size());
    boolean secret =
        from < to && all.subList(from, to).stream().anyMatch(HoconParser::mayContainSecret);
    return secret
        ? "not HOCON: put the values around here into double quotes, and look for a missing brace"
            + " or comma (the parser's message is omitted, since it may quote a secret)"
        : "not HOCON: "
            + message.replace(
                ", or you may be able to rename the file .properties rather than .conf", "");
  }

  private static boolean mayContainSecret(String line) {
    return !SecretRedaction.hiddenIn(line).isEmpty()
        || !SecretRedaction.shown("", line).equals(line)
        || SecretRedaction.isSecretKey(line);
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
        return refused(
            name,
            "the included file "
                + file.resolveSibling(name).toAbsolutePath().normalize()
                + " "
                + e.why());
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
}
