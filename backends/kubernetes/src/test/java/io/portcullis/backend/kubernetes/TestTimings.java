package io.portcullis.backend.kubernetes;

import io.portcullis.election.backend.Settings;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.election.contract.TestTimeouts;
import java.util.Map;
import java.util.Objects;

/** Timings as the settings produce them. */
final class TestTimings {
  /** Renew deadline 2 s, retry 400 ms, request timeout 800 ms. */
  static final Timing SHORT = of(Map.of("timing.lease", "3s"));

  /**
   * So slow that what happens within {@link TestTimeouts#MAX_WAIT} does not wait for the next
   * renewal.
   */
  static final Timing SLOW =
      of(
          Map.of(
              "timing.lease", "900s",
              "timing.renew-deadline", "600s",
              "timing.retry", "300s",
              "timing.ask-timeout", "30s"));

  /** 15 s, 10 s and 2 s. */
  static final Timing DEFAULT = of(Map.of());

  private TestTimings() {}

  /** The defaults with these changes. */
  static Timing of(Map<String, String> changes) {
    Settings settings = ReferenceSettings.of(KubernetesBackend.class, changes);
    return Objects.requireNonNull(KubernetesTiming.read(settings.section("timing")));
  }
}
