package io.portcullis.backend.quorum.network;

import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How members know each other. Without any of it whoever reaches the port can vote.
 *
 * @param secrets shared secrets: the first seals what is sent, each is accepted; empty for none
 * @param tls the context for mutual TLS, null for none
 */
public record PeerCredentials(List<String> secrets, @Nullable SSLContext tls) {

  /** Keeps a copy. */
  public PeerCredentials {
    secrets = List.copyOf(secrets);
  }

  @Override
  public String toString() {
    return (tls == null ? "no TLS" : "mutual TLS") + ", " + secrets.size() + " secrets";
  }
}
