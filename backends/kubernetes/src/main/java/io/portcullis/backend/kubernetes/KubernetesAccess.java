package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How an API server is reached, and as whom. */
sealed interface KubernetesAccess permits KubernetesAccess.InCluster, Kubeconfig {

  /** Where the API server is, without a slash at the end. */
  String server();

  /** The namespace that goes with it, null if it names none. */
  @Nullable String namespace();

  /** The client's settings, read anew; may run a program that the settings name. */
  Config config();

  /** The file by which these settings change, besides those that they name. */
  Path source();

  /**
   * As the service account of the pod. Its token is replaced from time to time, so it is read for
   * every request.
   *
   * @param server where the API server is
   * @param folder holds {@code token}, and {@code ca.crt} and {@code namespace} if there are
   */
  record InCluster(String server, Path folder) implements KubernetesAccess {

    /** Without a slash at the end, so that one server has one name. */
    public InCluster {
      server = ServerAddress.withoutTrailingSlash(server);
    }

    Path token() {
      return folder.resolve("token");
    }

    @Override
    public Path source() {
      return folder.resolve("ca.crt");
    }

    @Override
    public Config config() {
      Config config = Config.empty();
      config.setMasterUrl(server);
      if (Files.exists(source())) {
        config.setCaCertFile(source().toString());
      }
      config.setOauthTokenProvider(this::readToken);
      return config;
    }

    @Override
    public @Nullable String namespace() {
      Path file = folder.resolve("namespace");
      return isReadable(file) ? read(file) : null;
    }

    /** Whether it is a file, and may be read. */
    static boolean isReadable(Path file) {
      return Files.isRegularFile(file) && Files.isReadable(file);
    }

    /** Looked at before it is sent: who refuses to send it would quote it. */
    private String readToken() {
      String token = read(token());
      if (!token.chars().allMatch(each -> each > ' ' && each < 0x7f)) {
        throw new IllegalStateException("what is in " + token() + " can't be a token");
      }
      return token;
    }

    private static String read(Path file) {
      try {
        return Files.readString(file).strip();
      } catch (IOException e) {
        throw new UncheckedIOException("can't read " + file, e);
      }
    }
  }

  /** The address of an API server, as people write it. */
  static final class ServerAddress {
    private ServerAddress() {}

    /** Without a slash at the end. */
    static String withoutTrailingSlash(String address) {
      return address.replaceFirst("/+$", "");
    }

    /** What is wrong with it, null if nothing. */
    static @Nullable String problem(String address) {
      return isAddress(address)
          ? null
          : "'" + address + "' is no address such as https://10.0.0.1:443.";
    }

    private static boolean isAddress(String text) {
      try {
        URI address = new URI(text);
        return ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))
            && address.getHost() != null;
      } catch (URISyntaxException e) {
        return false;
      }
    }
  }

  /** What Kubernetes tells a process by its environment. */
  static final class ClusterEnvironment {
    private ClusterEnvironment() {}

    /** Where the API server is, null outside of a pod. */
    static @Nullable String apiServer(Map<String, String> variables) {
      String host = variables.get("KUBERNETES_SERVICE_HOST");
      String port = variables.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
      if (host == null || host.isBlank()) {
        return null;
      }
      return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** The name of the own pod, null if nothing tells it. A pod's host is named like the pod. */
    static @Nullable String pod(Map<String, String> variables) {
      String told = variables.get("POD_NAME");
      return told != null && !told.isBlank() ? told : variables.get("HOSTNAME");
    }
  }
}
