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
 * Backends, actions and listeners of all extensions of a configuration.
 *
 * @param list in the order of the configuration
 */
public record Extensions(List<Extension> list) {
  public static final Extensions NONE = new Extensions(List.of());

  public Extensions {
    list = List.copyOf(list);
  }

  public Optional<Backend> backend(String name) {
    for (Extension each : list) {
      Backend backend = each.backends().get(name);
      if (backend != null) {
        return Optional.of(backend);
      }
    }
    return Optional.empty();
  }

  public List<String> backendNames() {
    List<String> names = new ArrayList<>();
    for (Extension each : list) {
      names.addAll(each.backends().keySet());
    }
    return names;
  }

  public List<RefusalAction> actions() {
    List<RefusalAction> actions = new ArrayList<>();
    for (Extension each : list) {
      actions.addAll(each.actions().values());
    }
    return actions;
  }

  public List<ListenerFactory> listeners() {
    return list.stream().flatMap(each -> each.listeners().stream()).toList();
  }

  /**
   * An open jar and its services.
   *
   * @param backends by name
   * @param actions by name
   */
  public record Extension(
      Path jar,
      Map<String, Backend> backends,
      Map<String, RefusalAction> actions,
      List<ListenerFactory> listeners) {

    public Extension {
      backends = Map.copyOf(backends);
      actions = Map.copyOf(actions);
      listeners = List.copyOf(listeners);
    }

    /** For logs: {@code my.jar: backend etcd, 1 listener}. */
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
