package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;

/**
 * What a node said.
 *
 * @param status the HTTP status
 * @param body the text, at most as long as the client takes
 */
record Answer(int status, String body) {

  boolean isGood() {
    return status >= 200 && status < 300;
  }

  /** Its fields; throws {@link NoAnswer} if it is no JSON. */
  Config fields() throws NoAnswer {
    try {
      return ConfigFactory.parseString(
          body, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
    } catch (ConfigException e) {
      throw new NoAnswer("answered " + status + " with something that is not an agent's JSON", e);
    }
  }

  /** What it gives as the reason for a refusal. */
  String reason() {
    try {
      Config fields = fields();
      return fields.hasPath("error") ? fields.getString("error") : "status " + status;
    } catch (NoAnswer | ConfigException e) {
      return "status " + status;
    }
  }
}
