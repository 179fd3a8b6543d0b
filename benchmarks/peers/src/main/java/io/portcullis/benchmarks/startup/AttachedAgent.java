package io.portcullis.benchmarks.startup;

import io.portcullis.benchmarks.failover.Versions;

/** The agent that is attached to the application's JVM. */
enum AttachedAgent {
  NONE,
  PORTCULLIS,
  OPENTELEMETRY;

  String label() {
    return switch (this) {
      case NONE -> "no agent";
      case PORTCULLIS -> "Portcullis, " + ShopAgentConfig.RULES.size() + " rules, Redis";
      case OPENTELEMETRY ->
          "OpenTelemetry " + Versions.version("opentelemetry") + ", exporters off";
    };
  }
}
