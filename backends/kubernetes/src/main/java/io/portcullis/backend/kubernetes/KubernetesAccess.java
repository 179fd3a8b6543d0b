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

/** Address and credentials of an API server. */
sealed interface KubernetesAccess permits KubernetesAccess.InCluster, Kubeconfig {

  /** Address of the API server, without a trailing slash. */
  String server();

  /** The default namespace, null if there is none. */
  @Nullable String namespace();

  /** Reads the client settings again; may run a program that the settings name. */
  Config config();

  /** The file whose change affects the settings, besides the files that they name. */
  Path source();

  /**
   * Access with the service account of the pod. The token is rotated, so it is read for every
   * request.
   *
   * @param server address of the API server
   * @param folder contains {@code token}, and optionally {@code ca.crt} and {@code namespace}
   */
  record InCluster(String server, Path folder) implements KubernetesAccess {

    /** Removes a trailing slash, so that the same server always has the same name. */
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

    /** Whether this is a readable regular file. */
    static boolean isReadable(Path file) {
      return Files.isRegularFile(file) && Files.isReadable(file);
    }

    /** Reads and validates the token: the HTTP client quotes an invalid header in its error. */
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

  /** Validation of API server addresses. */
  static final class ServerAddress {
    private ServerAddress() {}

    static String withoutTrailingSlash(String address) {
      return address.replaceFirst("/+$", "");
    }

    /** Returns the problem with an address, null if it is valid. */
    static @Nullable String problem(String address) {
      return isAddress(address)
          ? null
          : "'" + address + "' is not an address like https://10.0.0.1:443.";
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

  /** Reads the environment variables that Kubernetes sets in a pod. */
  static final class ClusterEnvironment {
    private ClusterEnvironment() {}

    /** Address of the API server, null outside a pod. */
    static @Nullable String apiServer(Map<String, String> variables) {
      String host = variables.get("KUBERNETES_SERVICE_HOST");
      String port = variables.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
      if (host == null || host.isBlank()) {
        return null;
      }
      return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Name of this pod, null if unknown. The host name of a pod is its name. */
    static @Nullable String pod(Map<String, String> variables) {
      String name = variables.get("POD_NAME");
      return name != null && !name.isBlank() ? name : variables.get("HOSTNAME");
    }
  }
}
