package io.portcullis.agent.log;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Formats a log line as one JSON object. */
final class JsonLogFormat {
  private JsonLogFormat() {}

  static String of(
      String time, Level level, String logger, String message, @Nullable Throwable error) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", time);
    fields.put("level", level.name());
    fields.put("logger", logger);
    fields.put("message", message);
    if (error != null) {
      fields.put("error", TextLogFormat.trace(error));
    }
    return ConfigValueFactory.fromMap(fields).render(ConfigRenderOptions.concise());
  }
}
