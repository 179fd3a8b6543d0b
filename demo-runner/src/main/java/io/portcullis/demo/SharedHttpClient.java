package io.portcullis.demo;

import java.net.http.HttpClient;

/** The one HTTP client of the show: making one takes long, for it prepares TLS too. */
final class SharedHttpClient {
  /** Sends a POST once: it repeats by itself only what is harmless to repeat. */
  static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private SharedHttpClient() {}
}
