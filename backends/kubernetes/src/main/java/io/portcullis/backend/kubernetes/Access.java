package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How an API server is reached, and as whom. */
sealed interface Access {

  /** The client's settings, read anew. */
  Config config();

  /** The namespace that goes with it, null if it names none. */
  @Nullable String namespace();

  /**
   * As the service account of the pod. Its token is replaced from time to time, so it is read for
   * every request.
   *
   * @param server where the API server is
   * @param folder holds {@code token}, and {@code ca.crt} and {@code namespace} if there are
   */
  record InCluster(String server, Path folder) implements Access {

    Path token() {
      return folder.resolve("token");
    }

    @Override
    public Config config() {
      Config config = Config.empty();
      config.setMasterUrl(server);
      Path authority = folder.resolve("ca.crt");
      if (Files.exists(authority)) {
        config.setCaCertFile(authority.toString());
      }
      config.setOauthTokenProvider(() -> read(token()));
      return config;
    }

    @Override
    public @Nullable String namespace() {
      Path file = folder.resolve("namespace");
      return Files.isReadable(file) ? read(file) : null;
    }

    private static String read(Path file) {
      try {
        return Files.readString(file).strip();
      } catch (IOException e) {
        throw new UncheckedIOException("can't read " + file, e);
      }
    }
  }

  /**
   * As a kubeconfig says.
   *
   * @param context the context to use, null for the file's current one
   */
  record Kubeconfig(Path file, @Nullable String context) implements Access {

    @Override
    public Config config() {
      return Config.fromKubeconfig(context, file.toFile());
    }

    @Override
    public @Nullable String namespace() {
      return config().getNamespace();
    }

    /** What is wrong with the file, null if nothing. */
    @Nullable String problem() {
      Config read;
      try {
        read = config();
      } catch (RuntimeException e) {
        return "'" + file + "' can't be understood: " + ApiClient.sentence(e);
      }
      if (read.getCurrentContext() == null) {
        return context == null
            ? "'" + file + "' has no current context; name one with context."
            : "'" + context + "' is no context of " + file + ".";
      }
      return null;
    }
  }
}
