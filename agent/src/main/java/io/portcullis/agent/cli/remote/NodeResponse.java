package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a node said.
 *
 * @param status the HTTP status
 * @param body the text, at most as long as the client takes
 */
record NodeResponse(int status, String body) {

  boolean isGood() {
    return status >= 200 && status < 300;
  }

  /** Its fields; throws {@link NodeUnreachableException} if it is no JSON. */
  Config fields() throws NodeUnreachableException {
    try {
      return ConfigFactory.parseString(
          body, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
    } catch (ConfigException e) {
      throw new NodeUnreachableException(
          "answered " + status + " with something that is not an agent's JSON", e);
    }
  }

  /** What it gives as the reason for a refusal. */
  String reason() {
    return field("error").or(this::outcome).orElse("status " + status);
  }

  /** What it says has come of an order, or will come; of a reload with what is wrong. */
  Optional<String> outcome() {
    return field("next")
        .or(
            () ->
                field("outcome")
                    .map(words -> Stream.concat(Stream.of(words), problems().stream()))
                    .map(lines -> lines.collect(Collectors.joining(" "))));
  }

  private Optional<String> field(String name) {
    try {
      Config fields = fields();
      return fields.hasPath(name) ? Optional.of(fields.getString(name)) : Optional.empty();
    } catch (NodeUnreachableException | ConfigException e) {
      return Optional.empty();
    }
  }

  private List<String> problems() {
    try {
      Config fields = fields();
      return fields.hasPath("problems") ? fields.getStringList("problems") : List.of();
    } catch (NodeUnreachableException | ConfigException e) {
      return List.of();
    }
  }
}
