package io.portcullis.agent.runtime;

import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The backends inside the agent's jar, each in a loader of its own. */
public final class BundledBackends implements BackendRegistry {
  private static final List<String> BUILT_IN = List.of("kubernetes", "postgres", "quorum", "redis");

  private final Function<String, @Nullable ClassLoader> loaders;

  /** Backends behind {@code loaders}, which answer null for a name they do not have. */
  public BundledBackends(Function<String, @Nullable ClassLoader> loaders) {
    this.loaders = loaders;
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

  /** The driver of the database is in the bundle of the backend that uses it too. */
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
