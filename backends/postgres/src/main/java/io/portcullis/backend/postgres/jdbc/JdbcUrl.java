package io.portcullis.backend.postgres.jdbc;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A parsed JDBC URL of the Postgres driver. Its string representation contains no secrets.
 *
 * @param url the original URL
 * @param hosts the servers, each with its port
 * @param database the database name
 * @param options the options after the question mark
 */
public record JdbcUrl(
    String url, List<String> hosts, String database, Map<String, String> options) {
  private static final String EXAMPLE = "jdbc:postgresql://10.0.0.5:5432/app";
  private static final Pattern FORM =
      Pattern.compile("jdbc:postgresql:(?://([^/?]*)/?)?([^?]*)(?:\\?(.*))?");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+)?(?::(\\d{1,5}))?");

  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException if it is invalid; the message contains no secrets
   */
  public static JdbcUrl parse(String url) {
    Matcher form = FORM.matcher(url);
    if (!form.matches() || form.group(2).contains("/")) {
      throw new IllegalArgumentException(
          "is not a JDBC URL of Postgres: it must be like "
              + EXAMPLE
              + ", optionally with several hosts"
              + " separated by commas, and options after a question mark.");
    }
    if (form.group(2).isEmpty()) {
      throw new IllegalArgumentException("names no database. Example: " + EXAMPLE);
    }
    String hosts = form.group(1) == null ? "" : form.group(1);
    return new JdbcUrl(url, hosts(hosts), decoded(form.group(2)), options(form.group(3)));
  }

  private static List<String> hosts(String list) {
    List<String> hosts = new ArrayList<>();
    for (String text : list.split(",", -1)) {
      Matcher host = HOST.matcher(text);
      if (!host.matches()) {
        throw new IllegalArgumentException(
            "names a host that is not like name or name:port; set user and password with their own"
                + " keys. Example: "
                + EXAMPLE);
      }
      int port = host.group(2) == null ? 5432 : Integer.parseInt(host.group(2));
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException("has port " + port + "; it must be from 1 to 65535.");
      }
      hosts.add((host.group(1) == null ? "localhost" : host.group(1)) + ":" + port);
    }
    return List.copyOf(hosts);
  }

  private static Map<String, String> options(String text) {
    Map<String, String> options = new LinkedHashMap<>();
    if (text != null && !text.isEmpty()) {
      for (String option : text.split("&", -1)) {
        String[] parts = option.split("=", 2);
        options.put(parts[0], parts.length < 2 ? "" : decoded(parts[1]));
      }
    }
    DriverOptions.check(options);
    return options;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "has a % that is not followed by two hex digits; write % as %25.");
    }
  }

  /** Whether the URL names several servers, so that the driver has to find the primary. */
  public boolean hasSeveralHosts() {
    return hosts.size() > 1;
  }

  /** Returns the URL of another server or database, with the same options. */
  public JdbcUrl at(String host, int port, String name) {
    int mark = url.indexOf('?');
    String where = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    return parse(
        "jdbc:postgresql://" + where + "/" + encoded + (mark < 0 ? "" : url.substring(mark)));
  }

  /** Returns this URL with one option set or replaced. */
  public JdbcUrl with(String option, String value) {
    int mark = url.indexOf('?');
    String others =
        mark < 0
            ? ""
            : Arrays.stream(url.substring(mark + 1).split("&", -1))
                .filter(each -> !each.isEmpty() && !each.split("=", 2)[0].equals(option))
                .map(each -> each + "&")
                .collect(Collectors.joining());
    String base = mark < 0 ? url : url.substring(0, mark);
    return parse(
        base + "?" + others + option + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
  }

  /**
   * Whether TLS is required and the server's host name is verified with its certificate. A custom
   * socket factory or host name verifier does not count, since its checks are unknown; nor does a
   * service, whose file may set any of these options.
   */
  public boolean verifiesServer() {
    boolean isOn =
        options.containsKey("sslmode")
            ? options.get("sslmode").equals("verify-full")
            : DriverOptions.requiresTls(options.getOrDefault("ssl", "false"));
    return isOn
        && !options.containsKey("service")
        && !options.containsKey("sslfactory")
        && !options.containsKey("sslhostnameverifier");
  }

  /** The servers and the database, without options. */
  public String withoutSecrets() {
    return "jdbc:postgresql://" + String.join(",", hosts) + "/" + database;
  }

  @Override
  public String toString() {
    return withoutSecrets();
  }

  /**
   * Driver options that a URL may set. Others are refused: the driver ignores misspelt options,
   * which could silently disable TLS; and timeouts are set by the election.
   */
  public static final class DriverOptions {
    /** The allowed options. */
    public static final Set<String> ALLOWED =
        Set.of(
            "ApplicationName",
            "assumeMinServerVersion",
            "authenticationPluginClassName",
            "channelBinding",
            "currentSchema",
            "gssEncMode",
            "gsslib",
            "gssResponseTimeout",
            "gssUseDefaultCreds",
            "hostRecheckSeconds",
            "jaasApplicationName",
            "jaasLogin",
            "kerberosServerName",
            "loadBalanceHosts",
            "localSocketAddress",
            "options",
            "pemKeyAlgorithm",
            "receiveBufferSize",
            "requireAuth",
            "scramMaxIterations",
            "sendBufferSize",
            "service",
            "socketFactory",
            "socketFactoryArg",
            "ssl",
            "sslcert",
            "sslfactory",
            "sslfactoryarg",
            "sslhostnameverifier",
            "sslkey",
            "sslmode",
            "sslNegotiation",
            "sslpassword",
            "sslpasswordcallback",
            "sslResponseTimeout",
            "sslrootcert",
            "sspiServiceClass",
            "targetServerType",
            "tcpNoDelay",
            "user",
            "useSpnego");

    private static final Set<String> TLS_MODES =
        Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    private DriverOptions() {}

    /** Whether the driver takes this value of {@code ssl} for sslmode=verify-full. */
    static boolean requiresTls(String ssl) {
      return ssl.isEmpty() || ssl.equalsIgnoreCase("true");
    }

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if one is not allowed; the message contains no secrets
     */
    static void check(Map<String, String> options) {
      if (options.containsKey("password")) {
        throw new IllegalArgumentException(
            "contains a password; use password-file, or set the password by environment variable.");
      }
      Set<String> others = new TreeSet<>(options.keySet());
      others.removeAll(ALLOWED);
      if (!others.isEmpty()) {
        throw new IllegalArgumentException(
            "sets "
                + String.join(", ", others)
                + ", which is not an option of the driver, or is set by the election according to"
                + " its timing; remove it. Allowed are: "
                + String.join(", ", new TreeSet<>(ALLOWED))
                + ".");
      }
      String mode = options.getOrDefault("sslmode", "prefer");
      if (!TLS_MODES.contains(mode)) {
        throw new IllegalArgumentException(
            "has sslmode "
                + mode
                + "; it must be one of "
                + String.join(", ", new TreeSet<>(TLS_MODES))
                + ".");
      }
      String ssl = options.getOrDefault("ssl", "false");
      if (!requiresTls(ssl) && !ssl.equalsIgnoreCase("false")) {
        throw new IllegalArgumentException(
            "sets ssl to a value that the driver ignores, without which TLS is optional: ssl must"
                + " be true or false; use sslmode.");
      }
      String target = options.getOrDefault("targetServerType", "primary");
      if (!Set.of("primary", "master").contains(target)) {
        throw new IllegalArgumentException(
            "sets targetServerType=" + target + ", but an election needs the primary; remove it.");
      }
    }
  }
}
