package io.portcullis.backend.redis;

import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisAddress.Topology;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the server for the next connection. In a cluster that is any member at first; if it
 * replies that another member serves the key, it is that member.
 *
 * <p>Lettuce's cluster client is not used: it reads the topology of the whole cluster, for which a
 * minimal ACL user has no right, and it resends commands by itself.
 *
 * <p>All methods run on one thread, the store's own.
 */
final class ServerSelector {
  private final RedisAccess access;
  private final LettuceConnector connector;
  private final Duration connectTimeout;
  private int nextMember;
  private @Nullable Host serving;

  ServerSelector(RedisAccess access, LettuceConnector connector, Duration connectTimeout) {
    this.access = access;
    this.connector = connector;
    this.connectTimeout = connectTimeout;
  }

  /** The connector for the next connection. */
  PrimaryConnector next() {
    List<Host> hosts = List.of(target());
    if (access.address().topology() == Topology.SENTINEL) {
      hosts = new ArrayList<>(access.address().hosts());
      Collections.rotate(hosts, -(nextMember % hosts.size()));
    }
    return new PrimaryConnector(connector, access, hosts, connectTimeout);
  }

  /** Records that another member of the cluster serves the key. */
  void redirect(Host member) {
    serving = member;
  }

  /** The server of the next connection, unless sentinels name it. */
  Host target() {
    List<Host> hosts = access.address().hosts();
    return serving == null ? hosts.get(nextMember % hosts.size()) : serving;
  }

  /** Moves on to the next server: the last one did not reply or no longer serves the key. */
  void forgetTarget() {
    serving = null;
    nextMember = (nextMember + 1) % access.address().hosts().size();
  }
}
