package io.portcullis.rules.check.propose;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Rules for methods by which frameworks without a ready-made rule set call an application. */
final class EntryRules {
  /** Longer than any takeover: the action {@code wait} requires a timeout. */
  private static final Duration MESSAGE_TIMEOUT = Duration.ofDays(1);

  private static final String WAITS =
      "A refused message waits on the standby until it leads, so none is lost. If that holds up"
          + " messages, stop the consumers on standbys with hooks.";
  private static final String NACKED =
      "A refused message is handled by the channel's failure-strategy.";
  private static final String SKIPPED = "Skipped on standbys, so no error is logged.";

  /**
   * A rule to propose if it gates a method of the application.
   *
   * @param preferredAction used if it fits every method; otherwise {@code throw}
   */
  record EntryRule(String id, String match, String preferredAction, String advice) {
    Duration timeout(String action) {
      return action.equals("wait") ? MESSAGE_TIMEOUT : Duration.ZERO;
    }
  }

  static final List<EntryRule> ALL =
      List.of(
          http("Post"),
          http("Put"),
          http("Delete"),
          http("Patch"),
          listener("kafka-listeners", "@org.springframework.kafka.annotation.KafkaListener"),
          listener("jms-listeners", "@org.springframework.jms.annotation.JmsListener"),
          listener(
              "rabbit-listeners", "@org.springframework.amqp.rabbit.annotation.RabbitListener"),
          messages("jakarta-messages", "jakarta.jms"),
          messages("javax-messages", "javax.jms"),
          listener("kafka-topics", "@io.micronaut.configuration.kafka.annotation.Topic"),
          new EntryRule(
              "incoming",
              "@org.eclipse.microprofile.reactive.messaging.Incoming **#*(..)",
              "throw",
              NACKED),
          schedule("quarkus-scheduled", "@io.quarkus.scheduler.Scheduled"),
          schedule("micronaut-scheduled", "@io.micronaut.scheduling.annotation.Scheduled"),
          schedule("jakarta-schedule", "@jakarta.ejb.Schedule"),
          schedule("jakarta-schedules", "@jakarta.ejb.Schedules"),
          schedule("jakarta-timeouts", "@jakarta.ejb.Timeout"),
          schedule("javax-schedule", "@javax.ejb.Schedule"),
          schedule("javax-schedules", "@javax.ejb.Schedules"),
          schedule("javax-timeouts", "@javax.ejb.Timeout"));

  private EntryRules() {}

  private static EntryRule http(String method) {
    return new EntryRule(
        "micronaut-" + method.toLowerCase(Locale.ROOT),
        "@io.micronaut.http.annotation." + method + " **#*(..)",
        "throw",
        "Add an ExceptionHandler that answers NotLeaderException with 503.");
  }

  private static EntryRule listener(String id, String annotation) {
    return new EntryRule(id, annotation + " **#*(..)", "wait", WAITS);
  }

  private static EntryRule messages(String id, String api) {
    return new EntryRule(
        id, "%1$s.MessageListener+#onMessage(%1$s.Message)".formatted(api), "wait", WAITS);
  }

  private static EntryRule schedule(String id, String annotation) {
    return new EntryRule(id, annotation + " **#*(..)", "skip", SKIPPED);
  }
}
