package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.hocon.ValueReader.DurationParser;
import io.portcullis.agent.config.hocon.ValueReader.InvalidValueException;
import io.portcullis.agent.config.secret.Secrets;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.SecretFile;
import io.portcullis.election.backend.Settings;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a section of the merged tree, with the defaults of the matching reference section. */
public final class HoconSettings implements Settings {
  private final ConfigSection set;
  private final ConfigSection reference;
  private final ReadContext context;
  private final int problemsBefore;
  private final Set<String> secretsRead = new HashSet<>();
  private final Map<String, HoconSettings> sections = new HashMap<>();

  public HoconSettings(ConfigSection set, ConfigSection reference, ReadContext context) {
    this(set, reference, context, context.problems().count());
  }

  private HoconSettings(
      ConfigSection set, ConfigSection reference, ReadContext context, int problemsBefore) {
    this.set = set;
    this.reference = reference;
    this.context = context;
    this.problemsBefore = problemsBefore;
  }

  @Override
  public String text(String key) {
    return required(key, ValueReader::text, "");
  }

  @Override
  public Optional<String> optionalText(String key) {
    return optional(key, ValueReader::text);
  }

  @Override
  public Duration duration(String key) {
    return required(key, DurationParser::positive, Duration.ofSeconds(1));
  }

  public Duration durationOrZero(String key) {
    return required(key, DurationParser::notNegative, Duration.ZERO);
  }

  @Override
  public Optional<Duration> optionalDuration(String key) {
    return optional(key, DurationParser::positive);
  }

  @Override
  public Optional<List<Duration>> optionalDurations(String key) {
    return optional(key, ValueReader.list(DurationParser::positive));
  }

  public List<String> texts(String key) {
    return required(key, ValueReader.list(ValueReader::text), List.of());
  }

  @Override
  public long number(String key, long least, long most) {
    return required(key, ValueReader.number(least, most), least);
  }

  @Override
  public double share(String key) {
    return required(key, ValueReader::share, 0.0);
  }

  @Override
  public boolean flag(String key) {
    return required(key, ValueReader::flag, false);
  }

  @Override
  public String choice(String key, List<String> choices) {
    return required(key, ValueReader.choice(choices), choices.get(0));
  }

  @Override
  public Optional<Secret> secret(String key) {
    secretsRead.add(key);
    ConfigNode inline = set(key);
    ConfigNode file = set(key + KeyCheck.FILE_SUFFIX);
    if (inline != null && inline.place().layer() != ValueOrigin.Layer.ENVIRONMENT) {
      context
          .problems()
          .refuse(
              inline.location(),
              "a secret must not be set in a file or a system property; name a file that contains"
                  + " it with "
                  + key
                  + KeyCheck.FILE_SUFFIX
                  + ", or set it in the environment");
      return Optional.empty();
    }
    if (inline != null && file != null && inline.place().layer() == file.place().layer()) {
      refuse(key, "is set besides " + key + KeyCheck.FILE_SUFFIX + "; leave one of them out");
      return Optional.empty();
    }
    if (inline != null
        && (file == null || inline.place().layer().compareTo(file.place().layer()) > 0)) {
      Optional<String> secret = read(inline, ValueReader::text);
      secret.ifPresent(context.secrets()::learn);
      return secret.map(text -> () -> text);
    }
    ConfigNode named = file != null ? file : defaultOf(key + KeyCheck.FILE_SUFFIX);
    return named == null ? Optional.empty() : read(named, this::secretIn);
  }

  private Secret secretIn(ConfigNode named) throws InvalidValueException {
    try {
      Path file = context.folder().resolve(ValueReader.text(named));
      return SecretFile.open(file, context.secrets()::learn);
    } catch (InvalidPathException e) {
      throw new InvalidValueException("this is not a valid file path");
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (context.missing().tolerated()) {
        context.missing().warnings().add(named.place() + ": " + named.path() + ": " + why);
        String placeholder = SecretWarnings.PLACEHOLDER + named.path();
        return () -> placeholder;
      }
      throw new InvalidValueException(why);
    }
  }

  /** The file from which {@link #secret} reads this secret; empty if it comes from elsewhere. */
  public Optional<Path> secretFile(String key) {
    ConfigNode inline = set(key);
    ConfigNode file = set(key + KeyCheck.FILE_SUFFIX);
    return file instanceof ConfigNode.Leaf leaf
            && (inline == null || inline.place().layer().compareTo(leaf.place().layer()) < 0)
        ? Optional.of(context.folder().resolve(leaf.text()))
        : Optional.empty();
  }

  @Override
  public Map<String, String> entries(String key) {
    defaultOf(key); // Throws if the reference does not have it.
    Map<String, String> entries = new LinkedHashMap<>();
    for (Map.Entry<String, ConfigNode> entry : set.section(key).children().entrySet()) {
      ConfigNode node = entry.getValue();
      if (!node.isUnset()) {
        IdRules.check(
            new ProblemLocation(node.place(), node.path(), null),
            entry.getKey(),
            context.problems());
        read(node, ValueReader::entry).ifPresent(text -> entries.put(entry.getKey(), text));
      }
    }
    return entries;
  }

  @Override
  public HoconSettings section(String key) {
    HoconSettings section = sections.get(key);
    if (section == null) {
      section =
          new HoconSettings(set.section(key), reference.section(key), context, problemsBefore);
      sections.put(key, section);
    }
    return section;
  }

  @Override
  public void refuse(String key, String problem) {
    context.problems().refuse(key.isEmpty() ? set.location() : set.location(key), problem);
  }

  /**
   * Counts only the problems since these settings were created, so only those of this election. A
   * problem elsewhere must not prevent the checks that need this election's complete timing, since
   * all problems are reported at once.
   */
  @Override
  public int problems() {
    return context.problems().count() - problemsBefore;
  }

  /**
   * Refuses keys that {@link KeyCheck} accepted as possible secrets but that were never read as
   * secrets.
   */
  public void refuseUnreadSecrets() {
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

  /** Where the key was set, or the section that it is missing from. */
  public ProblemLocation location(String key) {
    return set.location(key);
  }

  public boolean isSet(String key) {
    return set(key) != null;
  }

  private <T> T required(String key, ValueReader<T> reader, T fallback) {
    Optional<T> value = optional(key, reader);
    if (value.isPresent()) {
      return value.get();
    }
    if (set(key) == null) {
      refuse(key, "is missing; set it");
    }
    return fallback;
  }

  public <T> Optional<T> optional(String key, ValueReader<T> reader) {
    ConfigNode own = set(key);
    if (own != null) {
      Optional<T> value = read(own, reader);
      if (value.isPresent()) {
        return value;
      }
    }
    ConfigNode standard = defaultOf(key);
    if (standard == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(reader.read(standard));
    } catch (InvalidValueException e) {
      throw new IllegalStateException("reference.conf: " + standard.path() + " " + e.why(), e);
    }
  }

  private <T> Optional<T> read(ConfigNode node, ValueReader<T> reader) {
    try {
      return Optional.of(reader.read(node));
    } catch (InvalidValueException e) {
      context.problems().refuse(node.location(), e.why());
      return Optional.empty();
    }
  }

  private @Nullable ConfigNode set(String key) {
    ConfigNode node = set.get(key);
    return node == null || node.isUnset() ? null : node;
  }

  private @Nullable ConfigNode defaultOf(String key) {
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

  /**
   * State shared by all readers of one configuration.
   *
   * @param problems collects all problems
   * @param secrets the known secrets, which must not be displayed
   * @param folder the configuration file's folder; relative file names are resolved against it
   * @param keys the keys of the whole configuration
   * @param missing collects the files of secrets that can't be read
   */
  public record ReadContext(
      ConfigProblems problems,
      Secrets secrets,
      Path folder,
      KnownKeys keys,
      SecretWarnings missing) {

    public KeyCheck keyCheck() {
      return new KeyCheck(problems, keys);
    }
  }

  /**
   * Files of secrets that can't be read.
   *
   * @param tolerated whether they are warnings; a placeholder then takes the place of each secret,
   *     so the configuration can be checked but not used
   * @param warnings a sentence for each
   */
  public record SecretWarnings(boolean tolerated, List<String> warnings) {
    /** Long enough for every key; the key is appended, since two secrets must differ. */
    private static final String PLACEHOLDER = "no-secret-".repeat(5);

    /** Starts without warnings. */
    public SecretWarnings(boolean tolerated) {
      this(tolerated, new ArrayList<>());
    }
  }
}
