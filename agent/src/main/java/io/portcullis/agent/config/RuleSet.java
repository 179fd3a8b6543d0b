package io.portcullis.agent.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Ready-made rules for a library that many use.
 *
 * @param name its name in the key {@code rule-sets}
 * @param wants which election its rules belong to
 * @param rules its rules, each a tree of its own that may be changed
 */
record RuleSet(String name, Wants wants, List<ConfigSection> rules) {
  /** All that there are. */
  static final List<String> NAMES =
      List.of(
          "leader-only",
          "spring-scheduled",
          "spring-transactional",
          "quartz-jobs",
          "jdbc-writes",
          "servlet-503");

  /** Which election the rules of a set belong to. */
  enum Wants {
    /** The one that is named, or the only one. */
    NAMED,
    /** Each has rules of its own. */
    EACH,
    /** It makes no difference. */
    ANY
  }

  RuleSet {
    rules = List.copyOf(rules);
  }

  /** Reads one of {@link #NAMES}. */
  static RuleSet read(String name) {
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setClassLoader(RuleSet.class.getClassLoader());
    ConfigSection file =
        new ConfigTreeBuilder(origin -> ValueOrigin.file("rule set " + name, origin.lineNumber()))
            .section(ConfigFile.ROOT, ConfigFactory.parseString(text(name), options).root());
    List<ConfigSection> rules = new ArrayList<>();
    if (file.get("rules") instanceof ConfigNode.Listing listing) {
      listing.items().forEach(rule -> rules.add((ConfigSection) rule));
    }
    Wants wants =
        file.get("election") instanceof ConfigNode.Leaf leaf
            ? Wants.valueOf(leaf.text().toUpperCase(Locale.ROOT))
            : Wants.NAMED;
    return new RuleSet(name, wants, rules);
  }

  private static String text(String name) {
    String resource = "rule-sets/" + name + ".conf";
    try (InputStream in = RuleSet.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no " + resource + " beside " + RuleSet.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
