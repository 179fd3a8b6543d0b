package io.portcullis.servers.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.Optional;

/**
 * The configuration files that a client needs to connect to a server.
 *
 * @param authority PEM text of the certificate to trust
 */
public record ClientConfigFiles(
    String url, Optional<String> authority, String token, String namespace) {
  /** Name of the context that points to the server. */
  public static final String RIGHT = "right";

  /** Name of the context that points to no server. */
  public static final String WRONG = "wrong";

  /** Address where no server listens: the port of the discard protocol. */
  private static final String NOWHERE = "http://127.0.0.1:9";

  Path kubeconfig(Path folder, String current) {
    return write(folder.resolve("kubeconfig"), yaml(current, entries(RIGHT)));
  }

  Path kubeconfigOfTwo(Path folder, String current) {
    ClientConfigFiles wrong =
        new ClientConfigFiles(NOWHERE, Optional.empty(), "wrong-token", "wrong-namespace");
    String[] right = entries(RIGHT);
    String[] other = wrong.entries(WRONG);
    return write(
        folder.resolve("kubeconfig"),
        yaml(current, right[0] + other[0], right[1] + other[1], right[2] + other[2]));
  }

  Path serviceAccount(Path folder) {
    write(folder.resolve("token"), token);
    write(folder.resolve("namespace"), namespace);
    authority.ifPresent(pem -> write(folder.resolve("ca.crt"), pem));
    return folder;
  }

  private static String yaml(String current, String... entries) {
    return "apiVersion: v1\nkind: Config\nclusters:\n"
        + entries[0]
        + "users:\n"
        + entries[1]
        + "contexts:\n"
        + entries[2]
        + "current-context: "
        + current
        + "\n";
  }

  /** Adds an entry for cluster, user and context. */
  private String[] entries(String name) {
    String trust =
        authority
            .map(pem -> pem.getBytes(StandardCharsets.US_ASCII))
            .map(pem -> Base64.getEncoder().encodeToString(pem))
            .map(data -> "    certificate-authority-data: " + data + "\n")
            .orElse("");
    return new String[] {
      "- name: cluster-%s\n  cluster:\n    server: %s\n%s".formatted(name, url, trust),
      "- name: user-%s\n  user:\n    token: %s\n".formatted(name, token),
      "- name: %1$s\n  context:\n    cluster: cluster-%1$s\n    user: user-%1$s\n    namespace: %2$s\n"
          .formatted(name, namespace)
    };
  }

  /** Replaces a file atomically, as kubelet does: a reader finds the old text or the new one. */
  private static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Path beside = Files.createTempFile(file.toAbsolutePath().getParent(), "new", "");
      Files.writeString(beside, text);
      return Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
