package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.election.threads.DaemonThreads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which databases a fence covers. Without a pattern: the database of its url, on the url's
 * hosts by name or by address. With a pattern: only databases that match it. A pattern is the start
 * of a JDBC URL in which {@code *} matches any characters; hosts are compared case-insensitively.
 */
final class FencedDatabaseMatcher {
  private static final String URL_PREFIX = "jdbc:postgresql://";
  private static final int DEFAULT_PORT = 5432;

  private final UrlHosts home;
  private final @Nullable UrlPattern urlPattern;

  /** The pattern, as written and in compiled form. */
  private record UrlPattern(String text, boolean anyHost, Pattern pattern) {}

  private FencedDatabaseMatcher(UrlHosts home, @Nullable UrlPattern written) {
    this.home = home;
    this.urlPattern = written;
  }

  /** Covers only the database of this URL. */
  static FencedDatabaseMatcher of(JdbcUrl url) {
    return new FencedDatabaseMatcher(UrlHosts.of(url), null);
  }

  /**
   * Covers the databases that match a pattern.
   *
   * @throws IllegalArgumentException if the pattern is invalid; the message contains no secrets
   */
  static FencedDatabaseMatcher parse(String text, JdbcUrl url) {
    String example = " Example: " + URL_PREFIX + "db-1.local/app";
    if (!text.startsWith(URL_PREFIX)) {
      throw new IllegalArgumentException("must begin with " + URL_PREFIX + "." + example);
    }
    if (text.contains("?")) {
      throw new IllegalArgumentException(
          "must end with the database: what a URL has after a question mark is not compared."
              + example);
    }
    String place = text.substring(URL_PREFIX.length());
    int slash = place.lastIndexOf('/');
    if (slash < 0 || slash == place.length() - 1) {
      throw new IllegalArgumentException("names no database; * means any." + example);
    }
    if (slash == 0) {
      throw new IllegalArgumentException("names no host; * means any." + example);
    }
    String host = place.substring(0, slash).toLowerCase(Locale.ROOT);
    if (host.contains("@")) {
      throw new IllegalArgumentException(
          "must not contain a user or password: only host, port and database are compared."
              + example);
    }
    boolean anyHost = host.replaceFirst(":[^:\\]]*$", "").contains("*");
    Pattern pattern = compileGlob(host + place.substring(slash));
    return new FencedDatabaseMatcher(UrlHosts.of(url), new UrlPattern(text, anyHost, pattern));
  }

  private static Pattern compileGlob(String glob) {
    String regex =
        Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  /** The pattern as written, empty if there is none. */
  String text() {
    return urlPattern == null ? "" : urlPattern.text();
  }

  /** Whether the pattern covers hosts that are not named in it. */
  boolean coversAnyHost() {
    return urlPattern != null && urlPattern.anyHost();
  }

  /** Whether the url names this server. */
  boolean namesServer(String host, int port) {
    return home.names(host, port);
  }

  boolean covers(InetSocketAddress server, String database) {
    if (urlPattern == null) {
      // Unknown addresses of the url's hosts may include this server.
      return home.compare(server, database) != UrlHosts.Comparison.ANOTHER;
    }
    String host = UrlHosts.normalized(server.getHostString());
    int port = server.getPort();
    return Stream.of(host, "[" + host + "]")
        .flatMap(
            name ->
                port == DEFAULT_PORT
                    ? Stream.of(name + ":" + port, name)
                    : Stream.of(name + ":" + port))
        .anyMatch(place -> urlPattern.pattern().matcher(place + "/" + database).matches());
  }

  /** Whether a covered database is the one of the url, see {@link #covers}. */
  boolean isHome(InetSocketAddress server, String database) {
    UrlHosts.Comparison answer = home.compare(server, database);
    return urlPattern == null
        ? answer != UrlHosts.Comparison.ANOTHER
        : answer == UrlHosts.Comparison.SAME;
  }

  /**
   * The database of a url, on the url's servers. A connection to another host name reaches the same
   * server if its address is one of the addresses of the url's hosts.
   */
  static final class UrlHosts {
    /** Whether a connection reaches that database. */
    enum Comparison {
      SAME,
      ANOTHER,
      /** Same port and database, but the addresses of the url's hosts are unknown. */
      UNKNOWN
    }

    private record Server(String host, int port, HostAddresses addresses) {}

    private final String database;
    private final List<Server> servers;

    private UrlHosts(String database, List<Server> servers) {
      this.database = database;
      this.servers = servers;
    }

    static UrlHosts of(JdbcUrl url) {
      return of(url, InetAddress::getAllByName);
    }

    static UrlHosts of(JdbcUrl url, HostAddresses.AddressLookup lookup) {
      return new UrlHosts(
          url.database(), url.hosts().stream().map(each -> server(each, lookup)).toList());
    }

    private static Server server(String hostAndPort, HostAddresses.AddressLookup lookup) {
      int colon = hostAndPort.lastIndexOf(':');
      String host = normalized(hostAndPort.substring(0, colon));
      return new Server(
          host,
          Integer.parseInt(hostAndPort.substring(colon + 1)),
          new HostAddresses(host, lookup, System::nanoTime));
    }

    /** Lower case, without the brackets of an IPv6 address. */
    static String normalized(String host) {
      String lower = host.toLowerCase(Locale.ROOT);
      return lower.startsWith("[") && lower.endsWith("]")
          ? lower.substring(1, lower.length() - 1)
          : lower;
    }

    /** Whether the url contains this host name and port. */
    boolean names(String host, int port) {
      String name = normalized(host);
      return servers.stream().anyMatch(each -> each.port() == port && each.host().equals(name));
    }

    /** Compares names first; resolves the url's hosts only if no name matches. */
    Comparison compare(InetSocketAddress server, String name) {
      if (!database.equals(name)) {
        return Comparison.ANOTHER;
      }
      if (names(server.getHostString(), server.getPort())) {
        return Comparison.SAME;
      }
      Comparison answer = Comparison.ANOTHER;
      for (Server each : servers) {
        if (each.port() == server.getPort()) {
          Comparison one = compare(each, server.getAddress());
          if (one == Comparison.SAME) {
            return one;
          }
          answer = one == Comparison.UNKNOWN ? one : answer;
        }
      }
      return answer;
    }

    private static Comparison compare(Server server, @Nullable InetAddress address) {
      Set<InetAddress> known = address == null ? null : server.addresses().current();
      if (known == null) {
        return Comparison.UNKNOWN;
      }
      return known.contains(address) ? Comparison.SAME : Comparison.ANOTHER;
    }
  }

  /**
   * The addresses of one host, resolved on demand on a separate thread. Callers wait for a limited
   * time from the start of the lookup, so a name server that does not respond costs that time only
   * once per lookup, regardless of the number of callers. Thread-safe.
   */
  static final class HostAddresses {
    /** Maximum wait for a lookup, from its start. */
    static final Duration MAX_LOOKUP_WAIT = Duration.ofSeconds(2);

    /** Maximum age of a lookup before it is repeated. */
    static final Duration MAX_AGE = Duration.ofSeconds(5);

    /**
     * Maximum age of an address since the last lookup that returned it. Addresses are kept because
     * a name may resolve to several addresses in turn.
     */
    static final Duration MAX_KEPT = Duration.ofMinutes(10);

    /** Maximum number of addresses kept. */
    static final int MAX_ADDRESSES = 64;

    /** Resolves a name; may block. */
    interface AddressLookup {
      InetAddress[] find(String host) throws UnknownHostException;
    }

    private final String host;
    private final AddressLookup lookup;
    private final LongSupplier ticker;
    private final Map<InetAddress, Long> seenAtNanos = new LinkedHashMap<>();
    private @Nullable CompletableFuture<Void> last;
    private long lastBeganNanos;

    HostAddresses(String host, AddressLookup lookup, LongSupplier ticker) {
      this.host = host;
      this.lookup = lookup;
      this.ticker = ticker;
    }

    /** Returns the addresses known after the limited wait; null if none was ever found. */
    @Nullable Set<InetAddress> current() {
      CompletableFuture<Void> asked;
      long leftNanos;
      synchronized (this) {
        long now = ticker.getAsLong();
        asked = last;
        if (asked == null || (asked.isDone() && now - lastBeganNanos >= MAX_AGE.toNanos())) {
          lastBeganNanos = now;
          asked = CompletableFuture.runAsync(this::lookUp, HostAddresses::start);
          last = asked;
        }
        leftNanos = lastBeganNanos + MAX_LOOKUP_WAIT.toNanos() - now;
      }
      await(asked, leftNanos);
      synchronized (this) {
        return seenAtNanos.isEmpty() ? null : Set.copyOf(seenAtNanos.keySet());
      }
    }

    private static void await(CompletableFuture<Void> asked, long leftNanos) {
      try {
        asked.get(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (TimeoutException | ExecutionException e) {
        return; // Earlier addresses stay valid.
      }
    }

    private void lookUp() {
      InetAddress[] found;
      try {
        found = lookup.find(host);
      } catch (UnknownHostException e) {
        throw new CompletionException(e);
      }
      synchronized (this) {
        long now = ticker.getAsLong();
        seenAtNanos.values().removeIf(seen -> now - seen > MAX_KEPT.toNanos());
        for (InetAddress each : found) {
          seenAtNanos.remove(each); // Keeps the map ordered by the latest lookup.
          seenAtNanos.put(each, now);
        }
        Iterator<InetAddress> oldest = seenAtNanos.keySet().iterator();
        while (seenAtNanos.size() > MAX_ADDRESSES) {
          oldest.next();
          oldest.remove();
        }
      }
    }

    /** Starts a lookup thread that inherits nothing from the calling application thread. */
    private static void start(Runnable task) {
      DaemonThreads.unstarted("portcullis-fence-lookup", task).start();
    }
  }
}
