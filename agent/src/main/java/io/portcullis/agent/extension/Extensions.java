package io.portcullis.agent.extension;

import io.portcullis.election.ListenerFactory;
import io.portcullis.election.backend.Backend;
import io.portcullis.rules.extension.RefusalAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a configuration's extensions bring.
 *
 * @param list in the order in which they were named
 */
public record Extensions(List<Extension> list) {
  /** There are none. */
  public static final Extensions NONE = new Extensions(List.of());

  /** Copies. */
  public Extensions {
    list = List.copyOf(list);
  }

  /** The backend of this name. */
  public Optional<Backend> backend(String name) {
    for (Extension each : list) {
      Backend backend = each.backends().get(name);
      if (backend != null) {
        return Optional.of(backend);
      }
    }
    return Optional.empty();
  }

  /** The names of all backends. */
  public List<String> backendNames() {
    List<String> names = new ArrayList<>();
    for (Extension each : list) {
      names.addAll(each.backends().keySet());
    }
    return names;
  }

  /** All actions. */
  public List<RefusalAction> actions() {
    List<RefusalAction> actions = new ArrayList<>();
    for (Extension each : list) {
      actions.addAll(each.actions().values());
    }
    return actions;
  }

  /** All makers of listeners. */
  public List<ListenerFactory> listeners() {
    return list.stream().flatMap(each -> each.listeners().stream()).toList();
  }

  /**
   * A jar that was opened, and what it brings.
   *
   * @param backends by name
   * @param actions by name
   */
  public record Extension(
      Path jar,
      Map<String, Backend> backends,
      Map<String, RefusalAction> actions,
      List<ListenerFactory> listeners) {

    /** Copies. */
    public Extension {
      backends = Map.copyOf(backends);
      actions = Map.copyOf(actions);
      listeners = List.copyOf(listeners);
    }

    /** For people: {@code my.jar: backend etcd, 1 listener}. */
    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      backends.keySet().stream().sorted().forEach(name -> parts.add("backend " + name));
      actions.keySet().stream().sorted().forEach(name -> parts.add("action " + name));
      if (!listeners.isEmpty()) {
        parts.add(listeners.size() == 1 ? "1 listener" : listeners.size() + " listeners");
      }
      return jar + ": " + String.join(", ", parts);
    }
  }
}
