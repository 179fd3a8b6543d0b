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
 * One node's way to one API server: fabric8's client with the JDK's HTTP below it. Sends each
 * request once, and gives up on it when its time is over; the connection of a request given up is
 * closed, since it may be dead. Only a GET is sent again, by the JDK, if a connection that was kept
 * turns out to be closed.
 */
final class ApiClient implements AutoCloseable {
  private final String server;
  private final KubernetesCredentials credentials;

  /**
   * @param server its address, without a slash at the end
   */
  ApiClient(String server, KubernetesCredentials credentials) {
    this.server = server;
    this.credentials = credentials;
  }

  /** Where the server is, for people. */
  String describe() {
    return server;
  }

  /** Sends and waits for the answer, at most until the deadline. */
  ApiResponse send(ApiRequest call, long deadlineNanos) throws ApiFailureException {
    long left = deadlineNanos - System.nanoTime();
    if (left <= 0) {
      throw new ApiFailureException("there was no time left to ask");
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

  /** Whether our own timer or the JDK's HTTP client, which has the same timeout, ended it. */
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
            ? "no answer within " + millis + " ms"
            : "its credentials could not be read within "
                + millis
                + " ms; does a program that the kubeconfig names hang?");
  }

  /** Sends without waiting. The answer is complete within the time, or it is a failure. */
  CompletableFuture<ApiResponse> sendAsync(ApiRequest call, Duration timeout) {
    CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
    Future<?> unused =
        credentials
            .client()
            .whenComplete(
                (by, failure) -> {
                  if (by == null) {
                    answer.completeExceptionally(failure);
                  } else if (!answer.isDone()) { // Else nobody waits for it any more.
                    ask(by, call, timeout, answer);
                  }
                });
    return answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The JDK's own timeout ends with the head of an answer, and the rest might never end. */
  private void ask(
      HttpClient by, ApiRequest call, Duration timeout, CompletableFuture<ApiResponse> answer) {
    try {
      HttpRequest.Builder request =
          by.newHttpRequestBuilder()
              .uri(URI.create(server + call.path()))
              .timeout(Math.max(1, timeout.toMillis()), TimeUnit.MILLISECONDS);
      request.header("Accept", "application/json");
      request.method(call.method(), call.contentType(), call.body());
      BoundedBody text = new BoundedBody();
      Future<?> unused =
          by.consumeBytes(request.build(), text)
              .whenComplete(
                  (head, failure) -> {
                    if (head == null) {
                      answer.completeExceptionally(failure);
                    } else {
                      read(head, text, answer);
                    }
                  });
    } catch (RuntimeException e) { // Such as a token that can't be read.
      answer.completeExceptionally(e);
    }
  }

  private static void read(
      HttpResponse<AsyncBody> head, BoundedBody text, CompletableFuture<ApiResponse> answer) {
    AsyncBody body = head.body();
    Future<?> unusedRead =
        body.done()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    answer.complete(new ApiResponse(head.code(), text.text()));
                  } else {
                    answer.completeExceptionally(failure);
                  }
                });
    Future<?> unusedEnd =
        answer.whenComplete(
            (complete, failure) -> {
              if (failure != null) {
                body.cancel(); // Closes the connection, too.
              }
            });
    body.consume();
  }

  /** Opens a watch. Messages come on threads of the client's. */
  CompletableFuture<WebSocket> watch(String path, Duration timeout, WebSocket.Listener listener) {
    return credentials
        .client()
        .thenCompose(
            by ->
                by.newWebSocketBuilder()
                    .uri(URI.create(server + path))
                    .header("Origin", server)
                    .connectTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .buildAsync(listener));
  }

  /** What went wrong, without the wrappings. */
  static String failureText(Throwable failure) {
    Throwable cause = failure;
    while (isWrapping(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    String message = innermostMessage(cause);
    String text = message == null ? cause.getClass().getSimpleName() : message;
    return cause instanceof SSLHandshakeException
        ? "the server's certificate, or the own one, is not trusted: " + text
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

  /** Collects the body of one answer, as long as it is no longer than any that can be meant. */
  static final class BoundedBody implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** An API server takes no object above 3 MiB. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody body) throws IOException {
      for (ByteBuffer part : parts) {
        if (bytes.size() + part.remaining() > MAX_BYTES) {
          throw new IOException("an answer longer than " + MAX_BYTES + " bytes");
        }
        byte[] read = new byte[part.remaining()];
        part.get(read);
        bytes.writeBytes(read);
      }
      body.consume();
    }

    /** All of it, once it is complete. */
    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  /**
   * What came back by HTTP.
   *
   * @param code its status
   * @param body all of its body
   */
  record ApiResponse(int code, String body) {}

  /**
   * One request to the API server.
   *
   * @param method the HTTP method
   * @param path path and query, from the slash
   * @param body what to send, null if nothing
   * @param contentType what the body is
   */
  record ApiRequest(String method, String path, @Nullable String body, String contentType) {}

  /** A request that got no answer. It may have taken effect all the same. */
  static final class ApiFailureException extends Exception {
    private static final long serialVersionUID = 1;

    ApiFailureException(String sentence) {
      super(sentence);
    }
  }
}
