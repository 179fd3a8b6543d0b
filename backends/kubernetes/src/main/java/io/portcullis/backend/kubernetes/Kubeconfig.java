package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.portcullis.backend.kubernetes.KubernetesAccess.ServerAddress;
import io.portcullis.election.config.InvalidElectionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Access through a kubeconfig file. The context is fixed when the file is first read, so that
 * changing the file's current context does not move a node to another cluster.
 *
 * @param context name of the context in use
 */
record Kubeconfig(Path file, String context, String server, @Nullable String namespace)
    implements KubernetesAccess {
  private static final Pattern LINE = Pattern.compile("\\bline:? (\\d+)");

  /**
   * Reads a file. Does not run a credential program that it may name.
   *
   * @param context the context to use, null for the file's current one
   * @throws InvalidElectionException with a problem that begins with the affected key
   */
  static Kubeconfig read(Path file, @Nullable String context) {
    io.fabric8.kubernetes.api.model.Config text = parse(file);
    String name = context == null ? text.getCurrentContext() : context;
    if (name == null || name.isBlank()) {
      throw wrong("kubeconfig " + file + " has no current context; name one with context.");
    }
    Context found =
        list(text.getContexts()).stream()
            .filter(each -> name.equals(each.getName()) && each.getContext() != null)
            .map(NamedContext::getContext)
            .findFirst()
            .orElseThrow(
                () ->
                    wrong(
                        (context == null ? "kubeconfig" : "context")
                            + " '"
                            + name
                            + "' is no context of "
                            + file
                            + "."));
    String server =
        list(text.getClusters()).stream()
            .filter(each -> each.getName() != null && each.getName().equals(found.getCluster()))
            .map(NamedCluster::getCluster)
            .filter(cluster -> cluster != null && cluster.getServer() != null)
            .map(Cluster::getServer)
            .findFirst()
            .orElse(null);
    if (server == null || ServerAddress.problem(server) != null) {
      throw wrong(
          "kubeconfig "
              + file
              + " names no server for its context "
              + name
              + ": the server of its cluster must be an address such as https://10.0.0.1:443.");
    }
    return new Kubeconfig(
        file, name, ServerAddress.withoutTrailingSlash(server), found.getNamespace());
  }

  /** Parses a file. Error messages never quote it, since it may contain secrets. */
  private static io.fabric8.kubernetes.api.model.Config parse(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      io.fabric8.kubernetes.api.model.Config parsed =
          Serialization.unmarshal(text, io.fabric8.kubernetes.api.model.Config.class);
      if (parsed != null) {
        return parsed;
      }
    } catch (IOException e) {
      throw wrong("kubeconfig names a file that can't be read: " + file + ".");
    } catch (RuntimeException e) {
      Matcher line = LINE.matcher(String.valueOf(e.getMessage()));
      throw wrong(
          "kubeconfig "
              + file
              + " can't be parsed"
              + (line.find() ? ", at line " + line.group(1) : "")
              + "; it must be the YAML that kubectl config view shows.");
    }
    throw wrong("kubeconfig " + file + " is empty.");
  }

  private static <T> List<T> list(@Nullable List<T> items) {
    return items == null ? List.of() : items;
  }

  private static InvalidElectionException wrong(String problem) {
    return new InvalidElectionException("kubeconfig", List.of(problem));
  }

  @Override
  public Config config() {
    Kubeconfig now = read(file, context);
    if (!now.server.equals(server)) {
      throw new IllegalStateException(
          file + " names " + now.server + " for its context now; that takes a restart");
    }
    return Config.fromKubeconfig(context, file.toFile());
  }

  @Override
  public Path source() {
    return file;
  }
}
