package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** HTTP client for nodes. Follows no redirects, because a token must reach only the named node. */
final class NodeClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 4 * 1024 * 1024;

  private final HttpClient client;

  /**
   * Creates a client without connecting.
   *
   * @param tls trust and client certificate for nodes that use HTTPS
   */
  NodeClient(SSLContext tls) {
    client =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(TIMEOUT)
            .sslContext(tls)
            .build();
  }

  /** Requests the status of a node; throws if the response has an error status. */
  NodeResponse status(NodeAddress node) throws NodeUnreachableException {
    NodeResponse response =
        send(
            node,
            HttpRequest.newBuilder(node.path("/api/status")).GET().timeout(TIMEOUT),
            Optional.empty());
    if (!response.isSuccess()) {
      throw new NodeUnreachableException(response.reason(), null);
    }
    return response;
  }

  /** Sends an admin command and waits for the response until the timeout. */
  NodeResponse execute(
      NodeAddress node, String path, String body, Optional<String> token, Duration timeout)
      throws NodeUnreachableException {
    return send(
        node,
        HttpRequest.newBuilder(node.path(path))
            .header("Content-Type", "application/json")
            .timeout(timeout)
            .POST(BodyPublishers.ofString(body)),
        token);
  }

  private NodeResponse send(NodeAddress node, HttpRequest.Builder request, Optional<String> token)
      throws NodeUnreachableException {
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    try {
      HttpResponse<InputStream> response =
          client.send(request.build(), BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        return new NodeResponse(response.statusCode(), text(body));
      }
    } catch (HttpConnectTimeoutException e) {
      throw new NodeUnreachableException(
          "can't be reached within " + TIMEOUT.toSeconds() + " s", e);
    } catch (HttpTimeoutException e) {
      throw new NodeUnreachableException("does not respond in time", e);
    } catch (ConnectException e) {
      throw new NodeUnreachableException("can't connect to " + node, e);
    } catch (UnknownHostException e) {
      throw new NodeUnreachableException("the host name of " + node + " can't be resolved", e);
    } catch (SSLException e) {
      throw new NodeUnreachableException(tlsMessage(e), e);
    } catch (IOException e) {
      throw new NodeUnreachableException("the request failed: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeUnreachableException("the request was interrupted", e);
    }
  }

  /** Distinguishes an untrusted certificate from other TLS failures and adds the fix. */
  private static String tlsMessage(SSLException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return "its certificate is not trusted: "
            + each.getMessage()
            + "; name the CA that signed it with --ca";
      }
    }
    return "the TLS connection fails: "
        + failure.getMessage()
        + "; if the node requires client certificates (http.tls.ca), send one with --cert and"
        + " --key";
  }

  private static String text(InputStream body) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    read.writeBytes(body.readNBytes(MAX_BYTES + 1));
    if (read.size() > MAX_BYTES) {
      throw new IOException("its response is longer than " + MAX_BYTES + " bytes");
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  /** Thrown when a node can't be reached, or does not respond like an agent. */
  static final class NodeUnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    NodeUnreachableException(String why, @Nullable Throwable cause) {
      super(why, cause);
    }

    /** The message, never null. */
    String why() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * HTTP response of a node.
   *
   * @param status the HTTP status
   * @param body the body, at most {@link NodeClient#MAX_BYTES} long
   */
  record NodeResponse(int status, String body) {

    boolean isSuccess() {
      return status >= 200 && status < 300;
    }

    /** Parses the body; throws {@link NodeUnreachableException} if it is not JSON. */
    Config fields() throws NodeUnreachableException {
      try {
        return ConfigFactory.parseString(
            body, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
      } catch (ConfigException e) {
        throw new NodeUnreachableException(
            "responded with status " + status + ", but the body is not an agent's JSON", e);
      }
    }

    /** The reason for a refusal. */
    String reason() {
      return field("error").or(this::outcome).orElse("status " + status);
    }

    /** The result of an admin command, or what it will do; for a reload, with its problems. */
    Optional<String> outcome() {
      return field("next")
          .or(
              () ->
                  field("outcome")
                      .map(outcome -> Stream.concat(Stream.of(outcome), problems().stream()))
                      .map(lines -> lines.collect(Collectors.joining(" "))));
    }

    private Optional<String> field(String name) {
      try {
        Config fields = fields();
        return fields.hasPath(name) ? Optional.of(fields.getString(name)) : Optional.empty();
      } catch (NodeUnreachableException | ConfigException e) {
        return Optional.empty();
      }
    }

    private List<String> problems() {
      try {
        Config fields = fields();
        return fields.hasPath("problems") ? fields.getStringList("problems") : List.of();
      } catch (NodeUnreachableException | ConfigException e) {
        return List.of();
      }
    }
  }
}
