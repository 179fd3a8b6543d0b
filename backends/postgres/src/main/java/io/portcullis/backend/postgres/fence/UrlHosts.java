package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The database that a url names, on the servers that it names. A connection by another name leads
 * to the same server if its address is one of the url's hosts' addresses.
 */
final class UrlHosts {
  /** Whether a connection leads to that database. */
  enum Answer {
    SAME,
    ANOTHER,
    /** Same port and database, and the addresses of the url's hosts are not known. */
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

  static UrlHosts of(JdbcUrl url, HostAddresses.Lookup lookup) {
    return new UrlHosts(
        url.database(), url.hosts().stream().map(each -> server(each, lookup)).toList());
  }

  private static Server server(String hostAndPort, HostAddresses.Lookup lookup) {
    int colon = hostAndPort.lastIndexOf(':');
    String host = normalized(hostAndPort.substring(0, colon));
    return new Server(
        host,
        Integer.parseInt(hostAndPort.substring(colon + 1)),
        new HostAddresses(host, lookup, System::nanoTime));
  }

  /** In lower case, and without the brackets around an address. */
  static String normalized(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.startsWith("[") && lower.endsWith("]")
        ? lower.substring(1, lower.length() - 1)
        : lower;
  }

  /** Whether the url names this server, by this name. */
  boolean names(String host, int port) {
    String name = normalized(host);
    return servers.stream().anyMatch(each -> each.port() == port && each.host().equals(name));
  }

  /** Compares by name first, and looks up the url's hosts only if no name matches. */
  Answer compare(InetSocketAddress server, String name) {
    if (!database.equals(name)) {
      return Answer.ANOTHER;
    }
    if (names(server.getHostString(), server.getPort())) {
      return Answer.SAME;
    }
    Answer answer = Answer.ANOTHER;
    for (Server each : servers) {
      if (each.port() == server.getPort()) {
        Answer one = compare(each, server.getAddress());
        if (one == Answer.SAME) {
          return one;
        }
        answer = one == Answer.UNKNOWN ? one : answer;
      }
    }
    return answer;
  }

  private static Answer compare(Server server, @Nullable InetAddress address) {
    Set<InetAddress> known = address == null ? null : server.addresses().current();
    if (known == null) {
      return Answer.UNKNOWN;
    }
    return known.contains(address) ? Answer.SAME : Answer.ANOTHER;
  }
}
