package io.portcullis.agent.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The keys that are known, with their defaults: the {@code reference.conf} beside a class. */
final class Reference {
  private static final String NAME = "reference.conf";

  private Reference() {}

  /** The agent's own: sections {@code portcullis}, {@code election} and {@code rule}. */
  static Section ofAgent() {
    return beside(Reference.class);
  }

  /** A backend's: sections {@code timing} and one that bears its name. */
  static Section of(Backend backend) {
    return beside(backend.getClass());
  }

  /** The keys of one fence, beside those that every fence has. */
  static Section of(FenceKind kind) {
    return beside(kind.getClass(), "fence-" + NAME);
  }

  private static Section beside(Class<?> type) {
    return beside(type, NAME);
  }

  private static Section beside(Class<?> type, String name) {
    try (InputStream in = type.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no " + name + " beside " + type.getName());
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Section parse(String text) {
    ConfigParseOptions options =
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setClassLoader(Reference.class.getClassLoader())
            .setOriginDescription(NAME);
    return new Tree(origin -> Place.DEFAULT)
        .section("", ConfigFactory.parseString(text, options).root());
  }
}
