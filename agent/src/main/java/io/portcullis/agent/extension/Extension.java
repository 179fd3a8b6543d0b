package io.portcullis.agent.extension;

import io.portcullis.election.ListenerFactory;
import io.portcullis.election.backend.Backend;
import io.portcullis.rules.extension.RefusalAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
