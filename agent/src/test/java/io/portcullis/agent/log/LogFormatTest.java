package io.portcullis.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.agent.log.LogSink.JsonLogFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class LogFormatTest {
  private static final String TIME = "2026-01-02T03:04:05.678Z";
  private static final String FORGED = "portcullis election=writer became leader";

  @AfterEach
  void asItWas() {
    LogSink.configure(Level.INFO, false);
  }

  private static String text(String logger, String message) {
    return TextLogFormat.of(TIME, Level.INFO, logger, message, null);
  }

  private static Config json(String line) {
    return ConfigFactory.parseString(
        line, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
  }

  @Test
  void electionLineFollowsTimeAndEndsWithLevel() {
    String line =
        "portcullis election=writer node=a-4711-9f31 epoch=7 became leader from=STANDBY"
            + " why=\"lease acquired\"";

    assertThat(text("portcullis", line)).isEqualTo(TIME + " " + line + " level=info");
  }

  @Test
  void otherLinesNameTheirLogger() {
    assertThat(text("io.lettuce.core.Reconnect", "cannot connect"))
        .isEqualTo(TIME + " portcullis INFO Reconnect cannot connect");
  }

  @Test
  void messageCannotForgeALogLine() {
    String nasty = "bad\n" + TIME + " " + FORGED + "\r\u0085\u001b[2J\u0000";

    String line = text("portcullis", nasty);

    assertThat(line.codePoints().noneMatch(Character::isISOControl)).isTrue();
    assertThat(line).contains("bad\\n", "\\u000d", "\\u001b");
  }

  @Test
  void exceptionMessageCannotForgeALogLine() {
    Throwable error =
        new IllegalStateException(
            "refused\n" + TIME + " " + FORGED,
            new IllegalArgumentException("why\r" + TIME + " " + FORGED));

    String line = TextLogFormat.of(TIME, Level.ERROR, "portcullis", "portcullis failed", error);

    assertThat(line.split("\\R"))
        .filteredOn(each -> each.startsWith(TIME))
        .containsExactly(TIME + " portcullis failed level=error");
  }

  @Test
  void exceptionIsLoggedWithItsCauses() {
    Throwable error = new IllegalStateException("outer", new IllegalArgumentException("inner"));

    String line = TextLogFormat.of(TIME, Level.ERROR, "portcullis", "portcullis failed", error);

    assertThat(line.lines().toList())
        .contains("java.lang.IllegalStateException: outer")
        .contains("Caused by: java.lang.IllegalArgumentException: inner")
        .anyMatch(each -> each.startsWith("    at io.portcullis.agent.log.LogFormatTest"));
  }

  @Test
  void circularCausesEnd() {
    IllegalStateException outer = new IllegalStateException("outer");
    IllegalStateException inner = new IllegalStateException("inner", outer);
    outer.initCause(inner);

    assertThat(TextLogFormat.trace(outer)).containsOnlyOnce("Caused by: ");
  }

  @Test
  void jsonLineIsOneObjectOnOneLine() {
    String nasty = "bad\n\"}, {\"level\": \"ERROR\" \u0001";

    String line =
        JsonLogFormat.of(TIME, Level.WARN, "portcullis", nasty, new IllegalStateException("a\nb"));

    assertThat(line.codePoints().noneMatch(Character::isISOControl)).isTrue();
    Config json = json(line);
    assertThat(json.root()).containsOnlyKeys("at", "level", "logger", "message", "error");
    assertThat(json.getString("at")).isEqualTo(TIME);
    assertThat(json.getString("level")).isEqualTo("WARN");
    assertThat(json.getString("message")).isEqualTo(nasty);
    assertThat(json.getString("error")).startsWith("java.lang.IllegalStateException: a");
  }

  @Test
  void jsonLineWithoutExceptionHasNoFieldForIt() {
    assertThat(json(JsonLogFormat.of(TIME, Level.INFO, "portcullis", "hello", null)).root())
        .containsOnlyKeys("at", "level", "logger", "message");
  }

  @Test
  void libraryLogsErrorsAndWithDebugAlsoWarnings() {
    LogSink.configure(Level.INFO, false);

    assertThat(LogSink.isEnabled(Level.WARN, "portcullis")).isTrue();
    assertThat(LogSink.isEnabled(Level.WARN, "com.zaxxer.hikari.pool.PoolBase")).isFalse();
    assertThat(LogSink.isEnabled(Level.ERROR, "com.zaxxer.hikari.pool.PoolBase")).isTrue();

    LogSink.configure(Level.DEBUG, false);

    assertThat(LogSink.isEnabled(Level.DEBUG, "portcullis")).isTrue();
    assertThat(LogSink.isEnabled(Level.DEBUG, "io.portcullis.election.Engine")).isTrue();
    assertThat(LogSink.isEnabled(Level.TRACE, "portcullis")).isFalse();
    assertThat(LogSink.isEnabled(Level.INFO, "io.lettuce.core")).isFalse();
    assertThat(LogSink.isEnabled(Level.WARN, "io.lettuce.core")).isTrue();
  }

  @Test
  void higherLogLevelAppliesToLibraries() {
    LogSink.configure(Level.ERROR, false);

    assertThat(LogSink.isEnabled(Level.WARN, "portcullis")).isFalse();
    assertThat(LogSink.isEnabled(Level.WARN, "io.lettuce.core")).isFalse();
    assertThat(LogSink.isEnabled(Level.ERROR, "io.lettuce.core")).isTrue();
  }
}
