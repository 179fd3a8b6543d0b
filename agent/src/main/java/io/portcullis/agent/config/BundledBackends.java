package io.portcullis.agent.config;

import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Backends inside the agent's jar, each with its own class loader. */
public final class BundledBackends implements BackendRegistry {
  private static final String FILE = "backends.properties";

  /**
   * The built-in backends. Their sections are allowed in every election, whether the backend is
   * used or not, and whether this jar contains it or not.
   */
  public static final SortedSet<String> BUILT_IN = readNames();

  private final Function<String, @Nullable ClassLoader> loaders;

  /** Creates a registry on {@code loaders}, which return null for an unknown backend name. */
  public BundledBackends(Function<String, @Nullable ClassLoader> loaders) {
    this.loaders = loaders;
  }

  private static SortedSet<String> readNames() {
    Properties properties = new Properties();
    try (InputStream in = BundledBackends.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("The agent's jar is damaged: it has no " + FILE + ".");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableSortedSet(
        new TreeSet<>(Set.of(properties.getProperty("names").split(","))));
  }

  @Override
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>();
    for (String name : BUILT_IN) {
      if (loaders.apply(name) != null) {
        names.add(name);
      }
    }
    return names;
  }

  /** Returns the Postgres fence. It is in the postgres backend, which has the JDBC driver. */
  @Override
  public Optional<FenceProvider> fenceKind() {
    ClassLoader loader = loaders.apply("postgres");
    return loader == null
        ? Optional.empty()
        : ServiceLoader.load(FenceProvider.class, loader).findFirst();
  }

  @Override
  public Backend open(String name) {
    ClassLoader loader = loaders.apply(name);
    if (loader == null) {
      throw new IllegalArgumentException("There is no backend '" + name + "' in the agent's jar.");
    }
    for (Backend backend : ServiceLoader.load(Backend.class, loader)) {
      if (backend.name().equals(name)) {
        return backend;
      }
    }
    throw new IllegalStateException("The agent's jar is damaged: no backend in " + name);
  }
}
