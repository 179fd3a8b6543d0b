package io.portcullis.agent.config;

import io.portcullis.agent.extension.Extensions;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The backends that an election can choose. Only a chosen one is opened. */
public interface BackendRegistry {

  /** Their names. */
  SortedSet<String> names();

  /** The one with this name, which is one of {@link #names}. */
  Backend open(String name);

  /** What can fence databases; empty if nothing here can. Opened only where there are fences. */
  default Optional<FenceProvider> fenceKind() {
    return Optional.empty();
  }

  /** These, and those of extensions. */
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

  /** A catalogue of backends that are open already. */
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
