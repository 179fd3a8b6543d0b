package io.portcullis.backend.kubernetes;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The address of an API server, as people write it. */
final class ServerAddress {
  private ServerAddress() {}

  /** Without a slash at the end. */
  static String plain(String address) {
    return address.replaceFirst("/+$", "");
  }

  /** What is wrong with it, null if nothing. */
  static @Nullable String problem(String address) {
    return isAddress(address)
        ? null
        : "'" + address + "' is no address such as https://10.0.0.1:443.";
  }

  private static boolean isAddress(String text) {
    try {
      URI address = new URI(text);
      return ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))
          && address.getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
