package io.portcullis.benchmarks.startup;

import io.portcullis.benchmarks.failover.Versions;

/** What travels in the application's JVM. */
enum MeasuredApplication {
  NONE,
  PORTCULLIS,
  OPENTELEMETRY;

  String label() {
    return switch (this) {
      case NONE -> "no agent";
      case PORTCULLIS -> "Portcullis, " + SpringBootApp.RULES.size() + " rules, Redis";
      case OPENTELEMETRY ->
          "OpenTelemetry " + Versions.version("opentelemetry") + ", exporters off";
    };
  }
}
