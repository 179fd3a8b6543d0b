package io.portcullis.agent.config.hocon;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads {@code reference.conf} next to a class: all valid keys with their defaults. */
public final class ReferenceConfig {
  private static final String NAME = "reference.conf";

  private ReferenceConfig() {}

  /** Reads the keys of a backend: {@code timing} and a section with the backend's name. */
  public static ConfigSection of(Backend backend) {
    return nextTo(backend.getClass());
  }

  /** Reads the keys that a provider adds to each fence. */
  public static ConfigSection of(FenceProvider provider) {
    return nextTo(provider.getClass(), "fence-" + NAME);
  }

  /** Reads the file next to this class. */
  public static ConfigSection nextTo(Class<?> type) {
    return nextTo(type, NAME);
  }

  private static ConfigSection nextTo(Class<?> type, String name) {
    try (InputStream in = type.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no " + name + " next to " + type.getName());
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static ConfigSection parse(String text) {
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setClassLoader(ReferenceConfig.class.getClassLoader())
            .setOriginDescription(NAME);
    return new ConfigTreeBuilder(origin -> ValueOrigin.DEFAULT)
        .section("", ConfigFactory.parseString(text, options).root());
  }
}
