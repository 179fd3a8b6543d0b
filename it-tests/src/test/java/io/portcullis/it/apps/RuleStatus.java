package io.portcullis.it.apps;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.ServiceJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The status of a node's rules. */
final class RuleStatus {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private RuleStatus() {}

  static String state(ServiceJvm jvm, String id) {
    return rule(jvm, id).path("state").asText();
  }

  static long passed(ServiceJvm jvm, String id) {
    return rule(jvm, id).path("passed").asLong();
  }

  static long blocked(ServiceJvm jvm, String id) {
    return rule(jvm, id).path("blocked").asLong();
  }

  /** Waits until this many more calls were refused. */
  static void awaitBlocked(ServiceJvm jvm, String id, long more) {
    long before = blocked(jvm, id);
    Awaitility.await(jvm.name() + " refuses calls")
        .atMost(TIMEOUT)
        .until(() -> blocked(jvm, id) >= before + more);
  }

  private static JsonNode rule(ServiceJvm jvm, String id) {
    try {
      for (JsonNode rule : jvm.status().json().path("rules")) {
        if (rule.path("id").asText().equals(id)) {
          return rule;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    throw new AssertionError(jvm.name() + " has no rule " + id);
  }
}
