package io.portcullis.agent.config;

import io.portcullis.agent.config.AgentConfigReader.ReadContext;
import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.ValueReader.DurationParser;
import io.portcullis.agent.config.ValueReader.InvalidValueException;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.SecretFile;
import io.portcullis.election.backend.Settings;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A section of the merged tree over the section of a reference that holds its defaults. */
final class HoconSettings implements Settings {
  private final ConfigSection set;
  private final ConfigSection reference;
  private final ReadContext desk;
  private final int problemsBefore;
  private final Set<String> secretsRead = new HashSet<>();
  private final Map<String, HoconSettings> sections = new HashMap<>();

  HoconSettings(ConfigSection set, ConfigSection reference, ReadContext desk) {
    this(set, reference, desk, desk.problems().count());
  }

  private HoconSettings(
      ConfigSection set, ConfigSection reference, ReadContext desk, int problemsBefore) {
    this.set = set;
    this.reference = reference;
    this.desk = desk;
    this.problemsBefore = problemsBefore;
  }

  @Override
  public String text(String key) {
    return must(key, ValueReader::text, "");
  }

  @Override
  public Optional<String> optionalText(String key) {
    return may(key, ValueReader::text);
  }

  @Override
  public Duration duration(String key) {
    return must(key, DurationParser::positive, Duration.ofSeconds(1));
  }

  Duration durationOrNothing(String key) {
    return must(key, DurationParser::notNegative, Duration.ZERO);
  }

  @Override
  public Optional<Duration> optionalDuration(String key) {
    return may(key, DurationParser::positive);
  }

  @Override
  public Optional<List<Duration>> optionalDurations(String key) {
    return may(key, ValueReader.list(DurationParser::positive));
  }

  List<String> texts(String key) {
    return must(key, ValueReader.list(ValueReader::text), List.of());
  }

  @Override
  public long number(String key, long least, long most) {
    return must(key, ValueReader.number(least, most), least);
  }

  @Override
  public double share(String key) {
    return must(key, ValueReader::share, 0.0);
  }

  @Override
  public boolean flag(String key) {
    return must(key, ValueReader::flag, false);
  }

  @Override
  public String choice(String key, List<String> choices) {
    return must(key, ValueReader.choice(choices), choices.get(0));
  }

  @Override
  public Optional<Secret> secret(String key) {
    secretsRead.add(key);
    ConfigNode open = set(key);
    ConfigNode file = set(key + KeyCheck.FILE_SUFFIX);
    if (open != null && open.place().layer() != ValueOrigin.Layer.ENVIRONMENT) {
      desk.problems()
          .refuse(
              open.spot(),
              "a secret must not stand in a file or a system property; name a file that holds it"
                  + " with "
                  + key
                  + KeyCheck.FILE_SUFFIX
                  + ", or set it in the environment");
      return Optional.empty();
    }
    if (open != null && file != null && open.place().layer() == file.place().layer()) {
      refuse(key, "is set besides " + key + KeyCheck.FILE_SUFFIX + "; leave one of them out");
      return Optional.empty();
    }
    if (open != null
        && (file == null || open.place().layer().compareTo(file.place().layer()) > 0)) {
      Optional<String> secret = read(open, ValueReader::text);
      secret.ifPresent(desk.secrets()::learn);
      return secret.map(text -> () -> text);
    }
    ConfigNode named = file != null ? file : standard(key + KeyCheck.FILE_SUFFIX);
    return named == null ? Optional.empty() : read(named, node -> secretIn(ValueReader.text(node)));
  }

  private Secret secretIn(String name) throws InvalidValueException {
    try {
      return SecretFile.open(desk.folder().resolve(name), desk.secrets()::learn);
    } catch (InvalidPathException e) {
      throw new InvalidValueException("this is no path of a file");
    } catch (IOException e) {
      throw new InvalidValueException(String.valueOf(e.getMessage()));
    }
  }

  /** The file from which {@link #secret} takes this one, if it does. */
  Optional<Path> secretFile(String key) {
    ConfigNode open = set(key);
    ConfigNode file = set(key + KeyCheck.FILE_SUFFIX);
    return file instanceof ConfigNode.Leaf leaf
            && (open == null || open.place().layer().compareTo(leaf.place().layer()) < 0)
        ? Optional.of(desk.folder().resolve(leaf.text()))
        : Optional.empty();
  }

  @Override
  public Map<String, String> entries(String key) {
    standard(key); // Throws if the reference does not have it.
    Map<String, String> entries = new LinkedHashMap<>();
    for (Map.Entry<String, ConfigNode> entry : set.section(key).children().entrySet()) {
      ConfigNode node = entry.getValue();
      if (!node.isUnset()) {
        IdRules.check(
            new ProblemLocation(node.place(), node.path(), null), entry.getKey(), desk.problems());
        read(node, ValueReader::entry).ifPresent(text -> entries.put(entry.getKey(), text));
      }
    }
    return entries;
  }

  @Override
  public HoconSettings section(String key) {
    HoconSettings section = sections.get(key);
    if (section == null) {
      section = new HoconSettings(set.section(key), reference.section(key), desk, problemsBefore);
      sections.put(key, section);
    }
    return section;
  }

  @Override
  public void refuse(String key, String problem) {
    desk.problems().refuse(key.isEmpty() ? set.spot() : set.spot(key), problem);
  }

  /**
   * Those of this election alone: a problem elsewhere must not keep its timing from being looked at
   * as a whole, since all problems are to be told at once.
   */
  @Override
  public int problems() {
    return desk.problems().count() - problemsBefore;
  }

  /** Refuses what passed as a secret's name and was never read as one. */
  void refuseUnreadSecrets() {
    for (String key : set.children().keySet()) {
      if (reference.get(key) == null
          && reference.get(key + KeyCheck.FILE_SUFFIX) != null
          && !secretsRead.contains(key)) {
        refuse(key, "unknown key; did you mean " + key + KeyCheck.FILE_SUFFIX + "?");
      }
    }
    for (Map.Entry<String, ConfigNode> entry : reference.children().entrySet()) {
      if (entry.getValue() instanceof ConfigSection) {
        section(entry.getKey()).refuseUnreadSecrets();
      }
    }
  }

  <T> Optional<T> optional(String key, ValueReader<T> how) {
    return may(key, how);
  }

  /** Where a key was set, or where it is missing. */
  ProblemLocation spot(String key) {
    return set.spot(key);
  }

  boolean isSet(String key) {
    return set(key) != null;
  }

  private <T> T must(String key, ValueReader<T> how, T standIn) {
    Optional<T> value = may(key, how);
    if (value.isPresent()) {
      return value.get();
    }
    if (set(key) == null) {
      refuse(key, "is missing; set it");
    }
    return standIn;
  }

  private <T> Optional<T> may(String key, ValueReader<T> how) {
    ConfigNode own = set(key);
    if (own != null) {
      Optional<T> value = read(own, how);
      if (value.isPresent()) {
        return value;
      }
    }
    ConfigNode standard = standard(key);
    if (standard == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(how.read(standard));
    } catch (InvalidValueException e) {
      throw new IllegalStateException("reference.conf: " + standard.path() + " " + e.why(), e);
    }
  }

  private <T> Optional<T> read(ConfigNode node, ValueReader<T> how) {
    try {
      return Optional.of(how.read(node));
    } catch (InvalidValueException e) {
      desk.problems().refuse(node.spot(), e.why());
      return Optional.empty();
    }
  }

  private @Nullable ConfigNode set(String key) {
    ConfigNode node = set.get(key);
    return node == null || node.isUnset() ? null : node;
  }

  private @Nullable ConfigNode standard(String key) {
    ConfigNode node = reference.get(key);
    if (node == null) {
      throw new IllegalArgumentException(
          "reference.conf has no key "
              + reference.pathOf(key)
              + "; put it in, with null if it has"
              + " no default");
    }
    return node.isUnset() ? null : node;
  }
}
