package io.portcullis.demo;

import java.net.http.HttpClient;

/** The HTTP client of the demo. It is shared, because creating one is slow: it initializes TLS. */
final class SharedHttpClient {
  /** Never sends a POST twice: it only retries idempotent requests. */
  static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private SharedHttpClient() {}
}
