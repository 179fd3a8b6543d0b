package io.portcullis.agent.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.agent.config.hocon.ConfigFile;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.ConfigTreeBuilder;
import io.portcullis.agent.config.hocon.ValueOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A set of predefined rules for a common library.
 *
 * @param name the set's name in the key {@code rule-sets}
 * @param scope which election the rules belong to
 * @param rules the rules; each is a separate tree that the caller may change
 */
record RuleSet(String name, ElectionScope scope, List<ConfigSection> rules) {
  /** Names of all rule sets. */
  static final List<String> NAMES =
      List.of(
          "leader-only",
          "spring-scheduled",
          "spring-transactional",
          "quartz-jobs",
          "jdbc-writes",
          "http-writes",
          "servlet-503");

  /** Which election the rules of a set belong to. */
  enum ElectionScope {
    /** The election that the configuration names, or the only one. */
    NAMED,
    /** Each election gets its own copy of the rules. */
    EACH,
    /** Any election, since the rules do not depend on it. */
    ANY
  }

  RuleSet {
    rules = List.copyOf(rules);
  }

  /** Reads the rule set with this name, one of {@link #NAMES}. */
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
    ElectionScope scope =
        file.get("election") instanceof ConfigNode.Leaf leaf
            ? ElectionScope.valueOf(leaf.text().toUpperCase(Locale.ROOT))
            : ElectionScope.NAMED;
    return new RuleSet(name, scope, rules);
  }

  private static String text(String name) {
    String resource = "rule-sets/" + name + ".conf";
    try (InputStream in = RuleSet.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no " + resource + " next to " + RuleSet.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
