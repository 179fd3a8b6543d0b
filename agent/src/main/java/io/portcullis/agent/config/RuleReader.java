package io.portcullis.agent.config;

import io.portcullis.agent.config.FenceReader.ElectionSelector;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.hocon.HoconSettings.ReadContext;
import io.portcullis.agent.config.hocon.IdRules;
import io.portcullis.agent.config.hocon.ValueOrigin;
import io.portcullis.agent.config.hocon.ValueReader.EnumReader;
import io.portcullis.rules.spec.RuleSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code rules}. */
final class RuleReader {
  private static final List<String> FLAGS = List.of("empty", "recheck", "interrupt", "redirect");
  private static final List<String> TEXTS = List.of("exception", RuleSpec.ONE_OF);
  private static final List<String> DURATIONS = List.of("timeout", "retry-after");

  private final ConfigSection reference;
  private final ReadContext context;

  /** Names of all configured elections, including invalid ones. */
  private final Collection<String> elections;

  private final boolean observeAll;

  RuleReader(
      ConfigSection reference,
      ReadContext context,
      Collection<String> elections,
      boolean observeAll) {
    this.reference = reference;
    this.context = context;
    this.elections = elections;
    this.observeAll = observeAll;
  }

  List<RuleSection> read(ConfigSection root) {
    List<RuleSection> rules = new ArrayList<>();
    ConfigNode node = root.get("rules");
    if (node == null || node.isUnset()) {
      return rules;
    }
    if (!(node instanceof ConfigNode.Listing listing)) {
      context
          .problems()
          .refuse(node.location(), "must be a list; write rules = [ { id = …, match = … } ]");
      return rules;
    }
    Map<String, ValueOrigin> seen = new HashMap<>();
    for (ConfigNode item : listing.items()) {
      if (item instanceof ConfigSection rule) {
        rule(rule, seen).ifPresent(rules::add);
      } else {
        context
            .problems()
            .refuse(item.location(), "a rule is a section; write { id = …, match = … }");
      }
    }
    return rules;
  }

  /** Reads a rule; empty without an id or a match, since the rest can't be validated then. */
  private Optional<RuleSection> rule(ConfigSection set, Map<String, ValueOrigin> seen) {
    context.keyCheck().check(set, reference, Set.of());
    HoconSettings settings = new HoconSettings(set, reference, context);
    String id = settings.text("id");
    String match = settings.text("match");
    String action = settings.text("action");
    boolean observe = EnumReader.read(settings, "mode", RuleMode.class) == RuleMode.OBSERVE;
    String election = ElectionSelector.read(settings, elections);
    Map<String, @Nullable Object> options = options(set, settings);
    if (!id.isEmpty()) {
      IdRules.check(settings.location("id"), id, context.problems());
      ValueOrigin first = seen.putIfAbsent(id, settings.location("id").place());
      if (first != null) {
        settings.refuse("id", "is the id of the rule at " + first + " already; choose another");
      }
    }
    if (id.isEmpty() || match.isEmpty()) {
      return Optional.empty();
    }
    Map<String, ProblemLocation> locations = new HashMap<>();
    locations.put("", set.location());
    for (Map.Entry<String, ConfigNode> entry : set.children().entrySet()) {
      locations.put(entry.getKey(), entry.getValue().location());
    }
    return Optional.of(
        new RuleSection(id, match, action, election, observe || observeAll, options, locations));
  }

  private enum RuleMode {
    ENFORCE,
    OBSERVE
  }

  private static Map<String, @Nullable Object> options(ConfigSection set, HoconSettings settings) {
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    for (String flag : FLAGS) {
      if (settings.isSet(flag)) {
        options.put(flag, settings.flag(flag));
      }
    }
    for (String text : TEXTS) {
      settings.optionalText(text).ifPresent(value -> options.put(text, value));
    }
    for (String key : DURATIONS) {
      settings.optionalDuration(key).ifPresent(duration -> options.put(key, duration));
    }
    if (set.get("value") instanceof ConfigNode.Leaf leaf) {
      options.put("value", value(leaf));
    } else if (set.get("value") != null) {
      settings.refuse("value", "must be null, true, false, a number or a string");
    }
    return options;
  }

  /** Overrides are strings; such a value is parsed as if it were written in the file. */
  private static @Nullable Object value(ConfigNode.Leaf leaf) {
    if (leaf.place().isOverride() && leaf.value() instanceof String text) {
      return text.strip().equals("null") ? null : ScalarValue.of(text.strip());
    }
    return leaf.value();
  }

  /** Parses an unquoted value as HOCON would: as a boolean, a number or a string. */
  static final class ScalarValue {
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
    private static final Pattern FRACTION = Pattern.compile("-?\\d+\\.\\d+([eE][+-]?\\d{1,3})?");

    private ScalarValue() {}

    static Object of(String text) {
      if (text.equals("true") || text.equals("false")) {
        return Boolean.valueOf(text);
      }
      if (WHOLE.matcher(text).matches()) {
        long number = Long.parseLong(text);
        return number == (int) number ? (Object) (int) number : (Object) number;
      }
      if (FRACTION.matcher(text).matches()) {
        return Double.valueOf(text);
      }
      boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
      return quoted ? text.substring(1, text.length() - 1) : text;
    }
  }
}
