package io.portcullis.election.backend;

import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing.FirstElection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builder of one election's store for use without the agent. It has the options of the agent's
 * configuration under the same names in camel case, and takes every default from the same {@code
 * reference.conf}. All problems are reported at once when it builds.
 *
 * @param <B> the builder of one kind of store
 */
public abstract class LeaseBuilder<B extends LeaseBuilder<B>> {
  private static final Pattern HYPHEN = Pattern.compile("-([a-z])");

  private final Backend backend;
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** A builder with the defaults of this backend. */
  protected LeaseBuilder(Backend backend) {
    this.backend = backend;
  }

  /** This builder. */
  protected abstract B self();

  /** How long a grant lasts. */
  public final B lease(Duration lease) {
    return set("timing.lease", lease);
  }

  /** After this long without a response the outcome of a request is unknown. */
  public final B askTimeout(Duration timeout) {
    return set("timing.ask-timeout", timeout);
  }

  /** How much faster or slower than real time a clock may run, as a fraction such as 0.01. */
  public final B drift(double drift) {
    return set("timing.drift", drift);
  }

  /** The longest lease that any node of this election has or recently had. */
  public final B longestLease(Duration lease) {
    return set("timing.longest-lease", lease);
  }

  /** Whether an empty store is assumed to be new. */
  public final B firstElection(FirstElection choice) {
    return set(
        "timing.first-election",
        choice == null ? null : choice.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** How long work in flight may take to finish when leadership is handed over. */
  public final B drain(Duration drain) {
    return set("timing.drain", drain);
  }

  /** Sets the value of a key of {@code reference.conf}, or removes it if the value is null. */
  protected final B set(String path, @Nullable Object value) {
    if (value == null) {
      values.remove(path);
    } else {
      values.put(path, value instanceof Path file ? file.toString() : value);
    }
    return self();
  }

  /** Sets several durations of one key. */
  protected final B setDurations(String path, Duration... values) {
    return set(path, new BuilderSettings.DurationList(Arrays.asList(values)));
  }

  /** Sets a secret, or removes it if it is null. */
  protected final B setSecret(String path, @Nullable String secret) {
    return set(path, secret == null ? null : (Secret) () -> secret);
  }

  /** Name of the option that sets the key at this path, for problems. */
  protected String optionName(String path) {
    String key = path.substring(path.indexOf('.') + 1);
    return key.contains(".") // Within a section the keys may be the user's own.
        ? key
        : HYPHEN.matcher(key).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }

  /**
   * Reads what was set.
   *
   * @param reader reads the settings, and returns null if it refused them
   * @param required paths of keys without a default here, each with its description
   * @throws InvalidElectionException with every problem
   */
  protected final <P extends StorePlan> P plan(
      Function<Settings, @Nullable P> reader, Map<String, String> required) {
    BuilderSettings settings =
        new BuilderSettings(ReferenceConf.of(backend.getClass()), values, this::optionName);
    P plan = reader.apply(settings);
    required.forEach(
        (path, description) -> {
          if (!values.containsKey(path)) {
            settings.refuse(path, "is missing: " + description + ".");
          }
        });
    List<String> problems = settings.refusals();
    if (plan == null || !problems.isEmpty()) {
      throw new InvalidElectionException("invalid " + backend.name() + " lease", problems);
    }
    return plan;
  }
}
