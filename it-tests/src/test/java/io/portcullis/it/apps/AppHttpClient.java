package io.portcullis.it.apps;

import static java.net.http.HttpResponse.BodyHandlers.ofString;

import io.portcullis.it.support.ServiceJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** An HTTP client of an application that follows no redirects. */
record AppHttpClient(String url) {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** Spring takes seconds to start, and much longer on a shared machine. */
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(TIMEOUT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /** Waits for a line that matches this pattern; its first group is the port. */
  static AppHttpClient of(ServiceJvm jvm, Pattern started) {
    String line =
        Awaitility.await(jvm.name() + " serves")
            .atMost(START_TIMEOUT)
            .failFast(jvm.name() + " has ended", () -> !jvm.isAlive())
            .until(() -> jvm.find(text -> started.matcher(text).find()), Optional::isPresent)
            .orElseThrow()
            .text();
    Matcher matcher = started.matcher(line);
    if (!matcher.find()) {
      throw new AssertionError(line);
    }
    return new AppHttpClient("http://127.0.0.1:" + matcher.group(1));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(path, "GET", "");
  }

  HttpResponse<String> post(String path) throws IOException, InterruptedException {
    return post(path, "");
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    return send(path, "POST", body);
  }

  HttpResponse<String> send(String path, String method, String body)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(TIMEOUT)
            .method(method, BodyPublishers.ofString(body))
            .build(),
        ofString());
  }
}
