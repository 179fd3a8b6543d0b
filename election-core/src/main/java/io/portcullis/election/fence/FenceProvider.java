package io.portcullis.election.fence;

import io.portcullis.election.backend.Settings;
import org.jspecify.annotations.Nullable;

/** Provider for one kind of fenced resource. Found by {@link java.util.ServiceLoader}. */
public interface FenceProvider {

  /** Name of the kind, such as {@code postgres}. */
  String name();

  /**
   * Reads the settings of one fence. Reports all invalid settings to {@code settings}; opens no
   * connection.
   *
   * @param service the service, part of the default scope
   * @param election the election whose epochs the fence checks
   * @param settings the fence's section
   * @return null if settings were rejected
   */
  @Nullable FencePlan plan(String service, String election, Settings settings);
}
