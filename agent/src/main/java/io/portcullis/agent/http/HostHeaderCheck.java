package io.portcullis.agent.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether a request is meant for this node. While it listens on loopback, a Host header must be an
 * address or {@code localhost}: a web page that has its own name resolve to 127.0.0.1 would else
 * make a browser on this machine read the status to it. Elsewhere any name may be the right one.
 */
final class HostHeaderCheck {
  private static final Pattern LOCAL =
      Pattern.compile(
          "(?:\\[[0-9a-f:.%]+]|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|(?:[^:]+\\.)?localhost)\\.?(?::[0-9]*)?");

  private final boolean loopback;

  HostHeaderCheck(String bind) {
    this.loopback = isLoopback(bind);
  }

  private static boolean isLoopback(String bind) {
    try {
      return InetAddress.getByName(bind).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // Then nobody can listen there anyway.
    }
  }

  Optional<HttpResponse> rejection(HttpRequest request) {
    String host = request.header("host").orElse("").toLowerCase(Locale.ROOT);
    return !loopback || host.isEmpty() || LOCAL.matcher(host).matches()
        ? Optional.empty()
        : Optional.of(
            HttpResponse.error(
                421, "This listens on loopback only; the Host must be an address or localhost."));
  }
}
