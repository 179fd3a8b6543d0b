package io.portcullis.agent.config;

import io.portcullis.election.backend.Backend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;

/** A loader of its own for the trial backend, as each backend has one in the agent. */
final class FakeBackendLoader extends ClassLoader {
  private static final String REFERENCE =
      """
      timing {
        lease = 30s
        renew = null
        retry = null
        ask-timeout = null
        drift = 1%
        longest-lease = null
        first-election = at-once
        drain = 30s
      }
      trial {
        uri = null
        key = null
        replicas = 0
        password-file = null
        ca-file = null
        tls { cert-file = null }
        members {}
      }
      """;

  private final Path reference;

  private FakeBackendLoader(Path reference) {
    super(FakeBackendLoader.class.getClassLoader());
    this.reference = reference;
  }

  static Backend backend(Path folder) {
    try {
      Path reference = Files.writeString(folder.resolve("trial-reference.conf"), REFERENCE);
      Class<?> type = new FakeBackendLoader(reference).loadClass(FakeBackend.class.getName());
      return (Backend) type.getDeclaredConstructor().newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the trial backend", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(FakeBackend.class.getName())) {
      return super.loadClass(name, resolve);
    }
    Class<?> loaded = findLoadedClass(name);
    return loaded == null ? define(name) : loaded;
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public URL getResource(String name) {
    try {
      return name.endsWith("/reference.conf") ? reference.toUri().toURL() : super.getResource(name);
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
