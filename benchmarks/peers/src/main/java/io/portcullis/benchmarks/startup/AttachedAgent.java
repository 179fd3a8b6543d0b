package io.portcullis.benchmarks.startup;

import io.portcullis.benchmarks.failover.Versions;

/** The agent that is attached to the application's JVM. */
enum AttachedAgent {
  NONE,
  PORTCULLIS_REDIS,
  PORTCULLIS_QUORUM,
  OPENTELEMETRY;

  boolean isPortcullis() {
    return this == PORTCULLIS_REDIS || this == PORTCULLIS_QUORUM;
  }

  String label() {
    return switch (this) {
      case NONE -> "no agent";
      case PORTCULLIS_REDIS -> "Portcullis, " + ShopAgentConfig.RULES.size() + " rules, Redis";
      case PORTCULLIS_QUORUM -> "Portcullis, " + ShopAgentConfig.RULES.size() + " rules, quorum";
      case OPENTELEMETRY ->
          "OpenTelemetry " + Versions.version("opentelemetry") + ", exporters off";
    };
  }
}
