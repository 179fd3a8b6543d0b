package io.portcullis.election.backend;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One section of a configuration, with the backend's defaults below the values that were set.
 *
 * <p>A value of the wrong type is reported with its location, and the default is returned instead,
 * so that reading continues and finds every problem. If a key is neither set nor has a default, the
 * methods that return an {@link Optional} return empty, and the others report it as missing.
 */
public interface Settings {

  /** A string that is not empty. */
  String text(String key);

  Optional<String> optionalText(String key);

  /** A positive duration, with its unit. */
  Duration duration(String key);

  Optional<Duration> optionalDuration(String key);

  Optional<List<Duration>> optionalDurations(String key);

  /** An integer from {@code least} to {@code most}. */
  long number(String key, long least, long most);

  /** A fraction such as {@code 20%} or {@code 0.2}. */
  double share(String key);

  boolean flag(String key);

  /** One of {@code choices}. */
  String choice(String key, List<String> choices);

  /**
   * A secret, if set: the content of the file that {@code <key>-file} names, without its last line
   * break, or {@code key} itself if it came from the environment. The secret itself is refused in a
   * file or a system property. A secret read from a file changes with the file.
   */
  Optional<Secret> secret(String key);

  /**
   * Strings of a section whose keys are chosen by the user, in the order they were set. {@code
   * reference.conf} declares such a section as <code>key {}</code>. A key that is not a valid id is
   * reported.
   */
  Map<String, String> entries(String key);

  /** A nested section; empty if nothing in it was set. */
  Settings section(String key);

  /**
   * Reports that the value of {@code key} is invalid.
   *
   * @param problem a sentence that states what is wrong and what would be right
   */
  void refuse(String key, String problem);

  /** Number of problems reported so far for this section and the sections around it. */
  int problems();
}
