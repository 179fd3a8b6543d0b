package io.portcullis.election.backend;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One section of a configuration, with the backend's defaults beneath what was set.
 *
 * <p>A value that can't be read as what is asked for is reported, together with its place, and
 * answered by the default, so that reading goes on and every problem is found. A key that is
 * neither set nor has a default is reported as missing by the plain questions, and empty to those
 * that answer an {@link Optional}.
 */
public interface Settings {

  /** A text that is not empty. */
  String text(String key);

  /** A text, if there is one. */
  Optional<String> optionalText(String key);

  /** A length of time with its unit, longer than nothing. */
  Duration duration(String key);

  /** A length of time, if there is one. */
  Optional<Duration> optionalDuration(String key);

  /** Several lengths of time, if there are. */
  Optional<List<Duration>> optionalDurations(String key);

  /** A whole number from {@code least} to {@code most}. */
  long number(String key, long least, long most);

  /** A share such as {@code 20%} or {@code 0.2}. */
  double share(String key);

  /** True or false. */
  boolean flag(String key);

  /** One of the texts named. */
  String choice(String key, List<String> choices);

  /**
   * A secret, if there is one: the content of the file that {@code <key>-file} names, without its
   * last line break, or {@code key} itself where it came from the environment. In a file or a
   * system property the secret itself is refused. One in a file changes with the file.
   */
  Optional<Secret> secret(String key);

  /**
   * The texts of a section whose names are the user's own, in the order they were set. A reference
   * declares one as {@code key {}}. A name that is no id is reported.
   */
  Map<String, String> entries(String key);

  /** A section within this one; empty if nothing of it was set. */
  Settings section(String key);

  /**
   * Reports that the value of {@code key} can't be right.
   *
   * @param problem a sentence that says what is wrong and what would be right
   */
  void refuse(String key, String problem);

  /** How many problems were reported so far about this section and those around it. */
  int problems();
}
