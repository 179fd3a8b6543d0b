package io.portcullis.backend.quorum;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Host and port of a member. The host is a name or a literal address, an IPv6 address without its
 * brackets. Names are not resolved here.
 */
record MemberAddress(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:\\[([0-9a-fA-F]*:[0-9a-fA-F:.]*(?:%[A-Za-z0-9._-]+)?)]|([^\\[\\]:/@\\s]+)):(\\d{1,5})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");
  private static final Pattern FOUR_BYTES =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");
  private static final int MAX_PORT = 65_535;

  /**
   * Parses {@code host:port}.
   *
   * @throws IllegalArgumentException with a message for the user if it is not an address
   */
  static MemberAddress parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not an address; write host:port such as 10.0.0.7:7400, an IPv6 address in"
              + " brackets such as [fd00::7]:7400.");
    }
    int port = Integer.parseInt(form.group(3));
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "' has port " + port + "; it must be from 1 to " + MAX_PORT + ".");
    }
    String host = form.group(1) == null ? form.group(2) : form.group(1);
    MemberAddress address = new MemberAddress(host.toLowerCase(Locale.ROOT), port);
    if (!address.hasValidHost()) {
      throw new IllegalArgumentException(
          "'" + text + "' names the host '" + host + "', which is neither a name nor an address.");
    }
    return address;
  }

  private boolean hasValidHost() {
    if (isLiteral()) {
      return literal() != null;
    }
    return NAME.matcher(host).matches();
  }

  private boolean isLiteral() {
    return host.indexOf(':') >= 0 || NUMBERS.matcher(host).matches();
  }

  /**
   * Returns the host as an address if it is a literal one, without its zone, which may name an
   * interface of another machine.
   */
  private @Nullable InetAddress literal() {
    if (!isLiteral() || (host.indexOf(':') < 0 && !FOUR_BYTES.matcher(host).matches())) {
      return null;
    }
    try {
      return InetAddress.getByName(host.replaceFirst("%.*", ""));
    } catch (UnknownHostException e) {
      return null;
    }
  }

  /** Returns the address to listen on, unresolved: a name is resolved at each bind. */
  InetSocketAddress socket() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  /** Whether only this machine can have this address. */
  boolean isLoopback() {
    InetAddress literal = literal();
    return literal == null ? host.equals("localhost") : literal.isLoopbackAddress();
  }

  /** Whether it denotes all addresses of a machine, so that no other node can connect to it. */
  boolean isWildcard() {
    InetAddress literal = literal();
    return literal != null && literal.isAnyLocalAddress();
  }

  /** Returns a form that is equal for two spellings of the same address. */
  String canonical() {
    InetAddress literal = literal();
    return (literal == null ? host : literal.getHostAddress()) + " " + port;
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
