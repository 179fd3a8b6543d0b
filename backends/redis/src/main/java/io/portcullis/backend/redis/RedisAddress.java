package io.portcullis.backend.redis;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of Redis, parsed from a URI. Its string form and its error messages contain no
 * secret.
 *
 * @param topology how the primary is found
 * @param tls whether to use TLS
 * @param hosts the primary, the sentinels, or members of the cluster
 * @param database the number of the database
 * @param master the sentinels' name for the primary
 * @param user the user, if the URI contains one
 * @param password the password, if the URI contains one
 */
record RedisAddress(
    Topology topology,
    boolean tls,
    List<Host> hosts,
    int database,
    @Nullable String master,
    @Nullable String user,
    @Nullable String password) {

  private static final Pattern FORM =
      Pattern.compile(
          "(redis|rediss)(-sentinel|-cluster)?://(?:([^@]*)@)?([^/#?@]*)(?:/([^#?]*))?(?:#(.*))?");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final int MAX_DATABASES = 1_000_000;

  enum Topology {
    SINGLE("redis://localhost:6379/0", 6379),
    SENTINEL("redis-sentinel://10.0.0.7:26379,10.0.0.8:26379/0#mymaster", 26379),
    CLUSTER("redis-cluster://10.0.0.7:6379,10.0.0.8:6379", 6379);

    private final String example;
    private final int port;

    Topology(String example, int port) {
      this.example = example;
      this.port = port;
    }
  }

  record Host(String name, int port) {
    @Override
    public String toString() {
      return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
    }
  }

  /** Parses a URI; {@link IllegalArgumentException} has a message without secrets. */
  static RedisAddress parse(String uri) {
    Matcher form = FORM.matcher(uri);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "is no Redis URI: it must start with redis://, rediss://, redis-sentinel://,"
              + " rediss-sentinel://, redis-cluster:// or rediss-cluster://, followed by hosts"
              + " and optionally /database and #master; options after a question mark are not"
              + " supported; write an @ in a password as %40. Example: "
              + Topology.SINGLE.example);
    }
    Topology kind =
        form.group(2) == null
            ? Topology.SINGLE
            : form.group(2).equals("-sentinel") ? Topology.SENTINEL : Topology.CLUSTER;
    String[] credentials = Objects.requireNonNullElse(form.group(3), "").split(":", 2);
    return new RedisAddress(
        kind,
        form.group(1).equals("rediss"),
        hosts(kind, form.group(4)),
        database(kind, form.group(5)),
        master(kind, form.group(6)),
        decoded(credentials[0]),
        credentials.length < 2 ? null : decoded(credentials[1]));
  }

  private static List<Host> hosts(Topology kind, String list) {
    List<Host> hosts = new ArrayList<>();
    for (String text : list.split(",", -1)) {
      Matcher host = HOST.matcher(text.strip());
      if (!host.matches()) {
        throw new IllegalArgumentException(
            "names a host that is not like name or name:port: '" + text + "'. " + example(kind));
      }
      String name = host.group(1).replace("[", "").replace("]", "");
      int port = host.group(2) == null ? kind.port : Integer.parseInt(host.group(2));
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException("has port " + port + "; it must be from 1 to 65535.");
      }
      hosts.add(new Host(name, port));
    }
    if (kind == Topology.SINGLE && hosts.size() > 1) {
      throw new IllegalArgumentException(
          "names several hosts, which only redis-sentinel:// and redis-cluster:// may. Examples: "
              + Topology.SENTINEL.example
              + ", "
              + Topology.CLUSTER.example);
    }
    return List.copyOf(hosts);
  }

  private static int database(Topology kind, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      return 0;
    }
    if (!text.matches("\\d{1,6}") || Integer.parseInt(text) >= MAX_DATABASES) {
      throw new IllegalArgumentException(
          "names the database '" + text + "'; it must be a number such as 0. " + example(kind));
    }
    if (kind == Topology.CLUSTER && Integer.parseInt(text) != 0) {
      throw new IllegalArgumentException("names a database, but a cluster has only database 0.");
    }
    return Integer.parseInt(text);
  }

  private static @Nullable String master(Topology kind, @Nullable String text) {
    boolean named = text != null && !text.isEmpty();
    if (kind == Topology.SENTINEL && !named) {
      throw new IllegalArgumentException(
          "does not name the primary that the sentinels watch, after a #. " + example(kind));
    }
    if (kind != Topology.SENTINEL && named) {
      throw new IllegalArgumentException(
          "names a primary after #, which only redis-sentinel:// supports.");
    }
    return named ? text : null;
  }

  private static @Nullable String decoded(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "has a % in its user or password that does not start a %XX; write a literal % as %25.");
    }
  }

  private static String example(Topology kind) {
    return "Example: " + kind.example;
  }

  /** The address without user and password. */
  String withoutSecrets() {
    StringBuilder text = new StringBuilder(tls ? "rediss" : "redis");
    text.append(
        topology == Topology.SENTINEL
            ? "-sentinel"
            : topology == Topology.CLUSTER ? "-cluster" : "");
    text.append("://").append(String.join(",", hosts.stream().map(Host::toString).toList()));
    if (database != 0) {
      text.append('/').append(database);
    }
    return master == null ? text.toString() : text.append('#').append(master).toString();
  }

  @Override
  public String toString() {
    return withoutSecrets();
  }
}
