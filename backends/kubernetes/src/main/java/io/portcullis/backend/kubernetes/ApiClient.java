package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.time.Duration;
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
  /** Null once closed: the JDK's client ends when nobody holds it any more. */
  private volatile @Nullable HttpClient http;

  private final String server;

  ApiClient(Config config, String threads, Duration connectTimeout) {
    config.setRequestRetryBackoffLimit(0);
    config.setConnectionTimeout((int) connectTimeout.toMillis());
    config.setHttp2Disable(true); // There a dead connection would be used again and again.
    config.setUserAgent("portcullis");
    server = ServerAddress.plain(config.getMasterUrl());
    QuietHttp factory = new QuietHttp(threads, config);
    try {
      http =
          factory
              .newBuilder(config)
              .addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, new AskOnce(config, factory))
              .build();
    } catch (RuntimeException | LinkageError e) {
      factory.end();
      throw new IllegalStateException("its credentials can't be used: " + sentence(e), e);
    }
  }

  /** Where the server is, for people. */
  String describe() {
    return server;
  }

  /** Sends and waits for the answer, at most until the deadline. */
  ApiAnswer send(ApiCall call, long deadlineNanos) throws ApiFailure {
    long left = deadlineNanos - System.nanoTime();
    if (left <= 0) {
      throw new ApiFailure("there was no time left to ask");
    }
    CompletableFuture<ApiAnswer> sent = sendAsync(call, Duration.ofNanos(left));
    try {
      return sent.get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw late(left);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TimeoutException ? late(left) : new ApiFailure(sentence(e));
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new ApiFailure("interrupted");
    }
  }

  private static ApiFailure late(long nanos) {
    return new ApiFailure("no answer within " + Duration.ofNanos(nanos).toMillis() + " ms");
  }

  /** Sends without waiting. The answer is complete within the time, or it is a failure. */
  CompletableFuture<ApiAnswer> sendAsync(ApiCall call, Duration timeout) {
    try {
      HttpClient by = open();
      HttpRequest.Builder request =
          by.newHttpRequestBuilder()
              .uri(URI.create(server + call.path()))
              .timeout(Math.max(1, timeout.toMillis()), TimeUnit.MILLISECONDS);
      request.header("Accept", "application/json");
      request.method(call.method(), call.contentType(), call.body());
      return answer(by, request.build(), timeout);
    } catch (RuntimeException e) { // Such as a token that can't be read.
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The JDK's own timeout ends with the head of an answer, and the rest might never end. */
  private static CompletableFuture<ApiAnswer> answer(
      HttpClient by, HttpRequest request, Duration timeout) {
    CompletableFuture<ApiAnswer> answer = new CompletableFuture<>();
    BodyText text = new BodyText();
    Future<?> unused =
        by.consumeBytes(request, text)
            .whenComplete(
                (head, failure) -> {
                  if (head == null) {
                    answer.completeExceptionally(failure);
                  } else {
                    read(head, text, answer);
                  }
                });
    return answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void read(
      HttpResponse<AsyncBody> head, BodyText text, CompletableFuture<ApiAnswer> answer) {
    AsyncBody body = head.body();
    Future<?> unusedRead =
        body.done()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    answer.complete(new ApiAnswer(head.code(), text.text()));
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
    try {
      return open()
          .newWebSocketBuilder()
          .uri(URI.create(server + path))
          .header("Origin", server)
          .connectTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
          .buildAsync(listener);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private HttpClient open() {
    HttpClient open = http;
    if (open == null) {
      throw new IllegalStateException("the client is closed");
    }
    return open;
  }

  /** What went wrong, without the wrappings. */
  static String sentence(Throwable failure) {
    Throwable cause = failure;
    while (isWrapping(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    String message = innermost(cause);
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

  private static @Nullable String innermost(Throwable failure) {
    String message = failure.getMessage();
    Throwable cause = failure.getCause();
    boolean empty = message == null || message.isBlank();
    return empty && cause != null && cause != failure
        ? innermost(cause)
        : empty ? null : failure.getClass().getSimpleName() + ": " + message;
  }

  @Override
  public void close() {
    HttpClient open = http;
    http = null;
    if (open != null) {
      open.close();
    }
  }
}
