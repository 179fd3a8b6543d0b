package io.portcullis.election.backend;

import org.jspecify.annotations.Nullable;

/**
 * A kind of store that a configuration can name. A module has one, found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>Beside the implementing class lies a resource {@code reference.conf}: every key it understands
 * with its default, in two sections, {@code timing} and one that bears the backend's name. A key
 * that is not in it is refused as unknown; {@code null} marks one that has no default.
 */
public interface Backend {

  /** The name by which a configuration chooses it, such as {@code redis}. */
  String name();

  /**
   * Reads one election's settings. What can't be right is reported to them, all of it; nothing is
   * connected to.
   *
   * @param service the service whose election this is, part of every default key
   * @param election the election's name
   * @param settings the election's section, with {@code timing} and the backend's own inside
   * @return null if settings were refused
   */
  @Nullable StorePlan plan(String service, String election, Settings settings);
}
