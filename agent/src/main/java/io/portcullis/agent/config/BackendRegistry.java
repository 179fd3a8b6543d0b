package io.portcullis.agent.config;

import io.portcullis.agent.extension.Extensions;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Backends that are available to elections. A backend is opened only if an election uses it. */
public interface BackendRegistry {
  SortedSet<String> names();

  /** Opens the backend with this name, which must be one of {@link #names}. */
  Backend open(String name);

  /** The fence provider, if there is one. Called only if fences are configured. */
  default Optional<FenceProvider> fenceKind() {
    return Optional.empty();
  }

  /** Returns a registry with these backends and those of the extensions. */
  default BackendRegistry with(Extensions extensions) {
    return new BackendRegistry() {
      @Override
      public SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>(BackendRegistry.this.names());
        names.addAll(extensions.backendNames());
        return names;
      }

      @Override
      public Backend open(String name) {
        return extensions.backend(name).orElseGet(() -> BackendRegistry.this.open(name));
      }

      @Override
      public Optional<FenceProvider> fenceKind() {
        return BackendRegistry.this.fenceKind();
      }
    };
  }

  /** Returns a registry of backends that are already open. */
  static BackendRegistry of(Collection<? extends Backend> backends) {
    List<Backend> all = List.copyOf(backends);
    return new BackendRegistry() {
      @Override
      public SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        all.forEach(backend -> names.add(backend.name()));
        return names;
      }

      @Override
      public Backend open(String name) {
        return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
      }
    };
  }
}
