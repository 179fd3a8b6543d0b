package io.portcullis.agent.extension;

import io.portcullis.election.ListenerFactory;
import io.portcullis.election.backend.Backend;
import io.portcullis.rules.extension.RefusalAction;
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
    return list.stream()
        .map(Extension::backends)
        .filter(backends -> backends.containsKey(name))
        .map(backends -> backends.get(name))
        .findFirst();
  }

  /** The names of all backends. */
  public List<String> backendNames() {
    return list.stream()
        .map(Extension::backends)
        .map(Map::keySet)
        .flatMap(s -> s.stream())
        .toList();
  }

  /** All actions. */
  public List<RefusalAction> actions() {
    return list.stream().flatMap(each -> each.actions().values().stream()).toList();
  }

  /** All makers of listeners. */
  public List<ListenerFactory> listeners() {
    return list.stream().flatMap(each -> each.listeners().stream()).toList();
  }
}
