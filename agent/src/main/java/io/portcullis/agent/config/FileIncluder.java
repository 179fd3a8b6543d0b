package io.portcullis.agent.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.net.URL;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What {@code include "…"} in one file may reach: other files, relative to that one. No network, no
 * class path. A file that is not there is a problem, not nothing: it may hold the rules.
 */
final class FileIncluder
    implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
  private static final Pattern URL_LIKE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");
  private static final int DEEPEST = 10;

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

  /** There is nothing to fall back to: what is not allowed here is not allowed. */
  @Override
  public ConfigIncluder withFallback(ConfigIncluder fallback) {
    return this;
  }

  @Override
  public ConfigObject include(ConfigIncludeContext context, String what) {
    return URL_LIKE.matcher(what).matches() ? noUrl(what) : included(what);
  }

  @Override
  public ConfigObject includeFile(ConfigIncludeContext context, File what) {
    return included(what.getPath());
  }

  @Override
  public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
    return noUrl(what.toString());
  }

  @Override
  public ConfigObject includeResources(ConfigIncludeContext context, String what) {
    return refused(what, "includes reach no class path; write include \"<file>\"");
  }

  private ConfigObject noUrl(String what) {
    return refused(what, "includes reach no network; copy it beside this file and include that");
  }

  private ConfigObject included(String name) {
    if (depth >= DEEPEST) {
      return refused(name, "includes are nested more than " + DEEPEST + " deep; is it a circle?");
    }
    try {
      Path sibling = file.resolveSibling(name);
      Path shownSibling = Path.of(shown).resolveSibling(name).normalize();
      return parser.parse(sibling, shownSibling.toString(), depth + 1);
    } catch (InvalidPathException e) {
      return refused(name, "this is no path of a file");
    } catch (TextFile.Unreadable e) {
      return refused(name, "the included file " + e.why());
    }
  }

  private ConfigObject refused(String what, String why) {
    parser.refuse(new ProblemLocation(ValueOrigin.file(shown, lineOf(what)), "include", what), why);
    return ConfigFactory.empty().root();
  }

  /** The parser does not tell where a statement stands, so it is looked for. */
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
