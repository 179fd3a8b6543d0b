package io.portcullis.agent.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks the Host header to prevent DNS rebinding. If the endpoint listens on loopback, the Host
 * must be an IP address or {@code localhost}. Otherwise a web page whose name resolves to 127.0.0.1
 * could use a browser on this machine to read the status. If the endpoint listens on another
 * address, any name is accepted, since any of them may resolve to this node.
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
      return false; // Binding to this address fails anyway.
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
