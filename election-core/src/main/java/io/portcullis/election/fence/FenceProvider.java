package io.portcullis.election.fence;

import io.portcullis.election.backend.Settings;
import org.jspecify.annotations.Nullable;

/** A kind of resource that can be fenced. Found by {@link java.util.ServiceLoader}. */
public interface FenceProvider {

  /** Its name, such as {@code postgres}. */
  String name();

  /**
   * Reads one fence's settings. What can't be right is reported to them, all of it; nothing is
   * connected to.
   *
   * @param service the service, part of the default scope
   * @param election the election whose epochs it compares
   * @param settings the fence's section
   * @return null if settings were refused
   */
  @Nullable FencePlan plan(String service, String election, Settings settings);
}
