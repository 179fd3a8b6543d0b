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
 * Knows whom to connect to next. In a cluster any member is asked first; if it refuses because
 * another serves the key, that one is next. All methods belong to one thread.
 */
final class ServerSelector {
  private final RedisAccess access;
  private final Duration connectTimeout;
  private int nextMember;
  private @Nullable Host serving;

  ServerSelector(RedisAccess access, Duration patience) {
    this.access = access;
    this.connectTimeout = patience;
  }

  /** The way that the next connection goes. */
  PrimaryConnector route() {
    if (access.address().topology() != Topology.SENTINEL) {
      return new PrimaryConnector(access, List.of(target()), connectTimeout);
    }
    List<Host> sentinels = new ArrayList<>(access.address().hosts());
    Collections.rotate(sentinels, -(nextMember % sentinels.size()));
    return new PrimaryConnector(access, sentinels, connectTimeout);
  }

  /** Another member of the cluster serves the key. */
  void redirect(Host member) {
    serving = member;
  }

  /** Whom the next connection goes to, where that is known without asking sentinels. */
  Host target() {
    List<Host> hosts = access.address().hosts();
    return serving == null ? hosts.get(nextMember % hosts.size()) : serving;
  }

  /** The last one dialled did not answer, or no longer serves the key: try the next. */
  void forgetTarget() {
    serving = null;
    nextMember = (nextMember + 1) % access.address().hosts().size();
  }
}
