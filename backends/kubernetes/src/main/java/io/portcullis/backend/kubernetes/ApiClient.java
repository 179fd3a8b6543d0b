package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Client of one API server, based on fabric8's client with the JDK's HTTP client. Each request is
 * sent once and abandoned after its timeout; its connection is then closed, since it may be dead.
 * Only a GET is retried, by the JDK, if a kept-alive connection turns out to be closed.
 */
final class ApiClient implements AutoCloseable {
  private final String server;
  private final KubernetesCredentials credentials;

  /**
   * Creates a client.
   *
   * @param server address of the API server, without a trailing slash
   */
  ApiClient(String server, KubernetesCredentials credentials) {
    this.server = server;
    this.credentials = credentials;
  }

  /** Address of the server, for messages. */
  String describe() {
    return server;
  }

  /** Sends a request and waits for the response, at most until the deadline. */
  ApiResponse send(ApiRequest call, long deadlineNanos) throws ApiFailureException {
    long left = deadlineNanos - System.nanoTime();
    if (left <= 0) {
      throw new ApiFailureException("the deadline passed before the request was sent");
    }
    CompletableFuture<ApiResponse> sent = sendAsync(call, Duration.ofNanos(left));
    try {
      return sent.get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw timeoutFailure(left);
    } catch (ExecutionException e) {
      throw isTimeout(e) ? timeoutFailure(left) : new ApiFailureException(failureText(e));
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new ApiFailureException("interrupted");
    }
  }

  /** Whether the request timed out, here or in the JDK's client, which has the same timeout. */
  private static boolean isTimeout(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
        return true;
      }
    }
    return false;
  }

  private ApiFailureException timeoutFailure(long nanos) {
    long millis = Duration.ofNanos(nanos).toMillis();
    return new ApiFailureException(
        credentials.areLoaded()
            ? "no response within " + millis + " ms"
            : "its credentials could not be read within "
                + millis
                + " ms; does a program that the kubeconfig names hang?");
  }

  /** Sends a request without waiting. The future completes within the timeout or fails. */
  CompletableFuture<ApiResponse> sendAsync(ApiRequest call, Duration timeout) {
    CompletableFuture<ApiResponse> result = new CompletableFuture<>();
    Future<?> unused =
        credentials
            .client()
            .whenComplete(
                (http, failure) -> {
                  if (http == null) {
                    result.completeExceptionally(failure);
                  } else if (!result.isDone()) { // Otherwise the request has timed out.
                    send(http, call, timeout, result);
                  }
                });
    return result.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Sends a request. The JDK's timeout covers only the response headers, so the caller's timeout
   * also covers the body.
   */
  private void send(
      HttpClient http, ApiRequest call, Duration timeout, CompletableFuture<ApiResponse> result) {
    try {
      HttpRequest.Builder request =
          http.newHttpRequestBuilder()
              .uri(URI.create(server + call.path()))
              .timeout(Math.max(1, timeout.toMillis()), TimeUnit.MILLISECONDS);
      request.header("Accept", "application/json");
      request.method(call.method(), call.contentType(), call.body());
      BoundedBody text = new BoundedBody();
      Future<?> unused =
          http.consumeBytes(request.build(), text)
              .whenComplete(
                  (head, failure) -> {
                    if (head == null) {
                      result.completeExceptionally(failure);
                    } else {
                      read(head, text, result);
                    }
                  });
    } catch (RuntimeException e) { // For example an unreadable token.
      result.completeExceptionally(e);
    }
  }

  private static void read(
      HttpResponse<AsyncBody> head, BoundedBody text, CompletableFuture<ApiResponse> result) {
    AsyncBody body = head.body();
    Future<?> unusedRead =
        body.done()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    result.complete(new ApiResponse(head.code(), text.text()));
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
    Future<?> unusedEnd =
        result.whenComplete(
            (complete, failure) -> {
              if (failure != null) {
                body.cancel(); // Also closes the connection.
              }
            });
    body.consume();
  }

  /** Opens a watch. The listener is called on the client's threads. */
  CompletableFuture<WebSocket> watch(String path, Duration timeout, WebSocket.Listener listener) {
    return credentials
        .client()
        .thenCompose(
            http ->
                http.newWebSocketBuilder()
                    .uri(URI.create(server + path))
                    .header("Origin", server)
                    .connectTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .buildAsync(listener));
  }

  /** Describes a failure, without its wrapping exceptions. */
  static String failureText(Throwable failure) {
    Throwable cause = failure;
    while (isWrapping(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return "no response in time";
    }
    String message = innermostMessage(cause);
    String text = message == null ? cause.getClass().getSimpleName() : message;
    return cause instanceof SSLHandshakeException
        ? "the certificate of the server or of this client is not trusted: " + text
        : text;
  }

  private static boolean isWrapping(Throwable failure) {
    return failure instanceof ExecutionException
        || failure instanceof CompletionException
        || failure instanceof KubernetesClientException;
  }

  private static @Nullable String innermostMessage(Throwable failure) {
    String message = failure.getMessage();
    Throwable cause = failure.getCause();
    boolean empty = message == null || message.isBlank();
    return empty && cause != null && cause != failure
        ? innermostMessage(cause)
        : empty || failure instanceof ApiFailureException
            ? message
            : failure.getClass().getSimpleName() + ": " + message;
  }

  @Override
  public void close() {
    credentials.close();
  }

  /** Collects the body of one response up to a maximum size. */
  static final class BoundedBody implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** API servers accept objects up to 3 MiB. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody body) throws IOException {
      for (ByteBuffer part : parts) {
        if (bytes.size() + part.remaining() > MAX_BYTES) {
          throw new IOException("a response longer than " + MAX_BYTES + " bytes");
        }
        byte[] read = new byte[part.remaining()];
        part.get(read);
        bytes.writeBytes(read);
      }
      body.consume();
    }

    /** The complete body. */
    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  /**
   * A response of the API server.
   *
   * @param code the HTTP status
   * @param body the complete body
   */
  record ApiResponse(int code, String body) {}

  /**
   * One request to the API server.
   *
   * @param method the HTTP method
   * @param path path and query, starting with a slash
   * @param body the body, null if there is none
   * @param contentType media type of the body
   */
  record ApiRequest(String method, String path, @Nullable String body, String contentType) {}

  /** Thrown if a request got no response. It may have been executed nevertheless. */
  static final class ApiFailureException extends Exception {
    private static final long serialVersionUID = 1;

    ApiFailureException(String sentence) {
      super(sentence);
    }
  }
}
