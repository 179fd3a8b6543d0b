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

/** Asks nodes by HTTP. Follows no redirect: a token is meant for one node only. */
final class NodeClient {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 4 * 1024 * 1024;

  private final HttpClient client;

  /**
   * @param tls whom to trust and whom to be, where a node speaks TLS
   */
  NodeClient(SSLContext tls) {
    client =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(PATIENCE)
            .sslContext(tls)
            .build();
  }

  /** All that the node tells of itself. */
  NodeResponse status(NodeAddress node) throws NodeUnreachableException {
    NodeResponse answer =
        send(
            node,
            HttpRequest.newBuilder(node.path("/api/status")).GET().timeout(PATIENCE),
            Optional.empty());
    if (!answer.isGood()) {
      throw new NodeUnreachableException(answer.reason(), null);
    }
    return answer;
  }

  /** Tells the node to do something, and waits at most so long for what it says to that. */
  NodeResponse order(
      NodeAddress node, String path, String body, Optional<String> token, Duration patience)
      throws NodeUnreachableException {
    return send(
        node,
        HttpRequest.newBuilder(node.path(path))
            .header("Content-Type", "application/json")
            .timeout(patience)
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
          "can't be reached within " + PATIENCE.toSeconds() + " s", e);
    } catch (HttpTimeoutException e) {
      throw new NodeUnreachableException("does not answer in time", e);
    } catch (ConnectException e) {
      throw new NodeUnreachableException("nobody listens at " + node, e);
    } catch (UnknownHostException e) {
      throw new NodeUnreachableException("the name of " + node + " is not known", e);
    } catch (SSLException e) {
      throw new NodeUnreachableException(ofTls(e), e);
    } catch (IOException e) {
      throw new NodeUnreachableException("can't be asked: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeUnreachableException("was interrupted", e);
    }
  }

  /** Two things go wrong with TLS, each with a remedy of its own. */
  private static String ofTls(SSLException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return "its certificate is not trusted: "
            + each.getMessage()
            + "; name who signed it with --ca";
      }
    }
    return "the connection by TLS fails: "
        + failure.getMessage()
        + "; if it asks callers for a certificate (http.tls.ca), show one with --cert and --key";
  }

  private static String text(InputStream body) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    read.writeBytes(body.readNBytes(MAX_BYTES + 1));
    if (read.size() > MAX_BYTES) {
      throw new IOException("its answer is longer than " + MAX_BYTES + " bytes");
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  /** A node could not be asked, or did not answer as an agent does. */
  static final class NodeUnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    NodeUnreachableException(String what, @Nullable Throwable cause) {
      super(what, cause);
    }

    /** The sentence for people. */
    String what() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * What a node said.
   *
   * @param status the HTTP status
   * @param body the text, at most as long as the client takes
   */
  record NodeResponse(int status, String body) {

    boolean isGood() {
      return status >= 200 && status < 300;
    }

    /** Its fields; throws {@link NodeUnreachableException} if it is no JSON. */
    Config fields() throws NodeUnreachableException {
      try {
        return ConfigFactory.parseString(
            body, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
      } catch (ConfigException e) {
        throw new NodeUnreachableException(
            "answered " + status + " with something that is not an agent's JSON", e);
      }
    }

    /** What it gives as the reason for a refusal. */
    String reason() {
      return field("error").or(this::outcome).orElse("status " + status);
    }

    /** What it says has come of an order, or will come; of a reload with what is wrong. */
    Optional<String> outcome() {
      return field("next")
          .or(
              () ->
                  field("outcome")
                      .map(words -> Stream.concat(Stream.of(words), problems().stream()))
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
