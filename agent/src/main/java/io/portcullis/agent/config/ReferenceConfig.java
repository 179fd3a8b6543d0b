package io.portcullis.agent.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The keys that are known, with their defaults: the {@code reference.conf} beside a class. */
final class ReferenceConfig {
  private static final String NAME = "reference.conf";

  private ReferenceConfig() {}

  /** The agent's own: sections {@code portcullis}, {@code election} and {@code rule}. */
  static ConfigSection ofAgent() {
    return beside(ReferenceConfig.class);
  }

  /** A backend's: sections {@code timing} and one that bears its name. */
  static ConfigSection of(Backend backend) {
    return beside(backend.getClass());
  }

  /** The keys of one fence, beside those that every fence has. */
  static ConfigSection of(FenceProvider kind) {
    return beside(kind.getClass(), "fence-" + NAME);
  }

  private static ConfigSection beside(Class<?> type) {
    return beside(type, NAME);
  }

  private static ConfigSection beside(Class<?> type, String name) {
    try (InputStream in = type.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no " + name + " beside " + type.getName());
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ConfigSection parse(String text) {
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setClassLoader(ReferenceConfig.class.getClassLoader())
            .setOriginDescription(NAME);
    return new ConfigTreeBuilder(origin -> ValueOrigin.DEFAULT)
        .section("", ConfigFactory.parseString(text, options).root());
  }
}
