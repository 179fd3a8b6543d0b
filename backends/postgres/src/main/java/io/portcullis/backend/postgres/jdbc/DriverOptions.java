package io.portcullis.backend.postgres.jdbc;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of the driver that a URL may set. Others are refused: a misspelt one would be passed
 * over by the driver, and TLS be off without a word; time-outs and the like are the election's.
 */
public final class DriverOptions {
  /** What may stand in a URL. */
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

  /** Throws {@link IllegalArgumentException} with a sentence that tells no secret. */
  static void check(Map<String, String> options) {
    if (options.containsKey("password")) {
      throw new IllegalArgumentException(
          "holds a password; set password-file, or the password by environment.");
    }
    Set<String> others = new TreeSet<>(options.keySet());
    others.removeAll(ALLOWED);
    if (!others.isEmpty()) {
      throw new IllegalArgumentException(
          "sets "
              + String.join(", ", others)
              + ", which is no option of the driver, or one that the election sets by itself"
              + " according to its timing; leave it out. Allowed are: "
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
    String target = options.getOrDefault("targetServerType", "primary");
    if (!Set.of("primary", "master").contains(target)) {
      throw new IllegalArgumentException(
          "asks for targetServerType="
              + target
              + ", but only a primary can hold an election; leave it out.");
    }
  }
}
