package io.portcullis.servers.kubernetes;

import java.util.Optional;

/**
 * The object or collection that a path names.
 *
 * @param namespace empty if the path names none
 * @param name empty if the path names a collection
 */
record ResourcePath(ResourceType resource, String namespace, String name) {
  /** Parses a path; empty if the server has nothing there. */
  static Optional<ResourcePath> of(String path) {
    for (ResourceType resource : ResourceType.values()) {
      if (path.startsWith(resource.root() + "/")) {
        Optional<ResourcePath> route =
            below(resource, path.substring(resource.root().length() + 1));
        if (route.isPresent()) {
          return route;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<ResourcePath> below(ResourceType resource, String rest) {
    String[] parts = rest.split("/", -1);
    int at = parts.length > 2 && parts[0].equals("namespaces") ? 2 : 0;
    String namespace = at == 2 ? parts[1] : "";
    if (!parts[at].equals(resource.plural) || parts.length > at + 2) {
      return Optional.empty();
    }
    String name = parts.length == at + 2 ? parts[at + 1] : "";
    return name.isEmpty() == (parts.length == at + 1)
        ? Optional.of(new ResourcePath(resource, namespace, name))
        : Optional.empty();
  }

  boolean isCollection() {
    return name.isEmpty();
  }

  ResourcePath named(String newName) {
    return new ResourcePath(resource, namespace, newName);
  }

  ResourcePath collection() {
    return named("");
  }

  String path() {
    return resource.root()
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + resource.plural
        + (isCollection() ? "" : "/" + name);
  }

  /** Name in messages. */
  @Override
  public String toString() {
    return resource.qualified() + " \"" + name + "\"";
  }
}
