package io.portcullis.backend.redis;

import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisAddress.Topology;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.backend.redis.RespSocket.RedisErrorException;
import io.portcullis.election.backend.Secret;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way to the primary as it is known now.
 *
 * @param hosts the primary alone, or sentinels in the order in which to ask them
 * @param timeout how long all of it may take
 */
record PrimaryConnector(RedisAccess access, List<Host> hosts, Duration timeout) {
  private static final int SENTINEL_REPLY_PARTS = 2;

  /** Goes it: a connection that the server has let in, with the database chosen. */
  void open(RespSocket wire) throws IOException, RedisErrorException {
    RedisTls tls = access.address().tls() ? RedisTls.of(access) : null;
    Host primary =
        access.address().topology() == Topology.SENTINEL ? askSentinels(wire, tls) : hosts.get(0);
    wire.connect(primary, millis(1), tls);
    Secret password = access.password();
    if (password != null && access.user() != null) {
      wire.call("AUTH", access.user(), password.current());
    } else if (password != null) {
      wire.call("AUTH", password.current());
    }
    if (access.address().database() != 0) {
      wire.call("SELECT", Integer.toString(access.address().database()));
    }
  }

  /** The first answer counts: that it is a primary indeed, each script sees for itself. */
  private Host askSentinels(RespSocket wire, @Nullable RedisTls tls) throws IOException {
    String master = Objects.requireNonNull(access.address().master());
    String why = "";
    for (Host sentinel : hosts) {
      try {
        // So that one that is silent leaves time for the others and for the primary.
        wire.connect(sentinel, millis(hosts.size() + 1), tls);
        Host primary = host(wire.call("SENTINEL", "get-master-addr-by-name", master));
        if (primary != null) {
          return primary;
        }
        why += "; " + sentinel + " does not know it";
      } catch (IOException | RedisErrorException e) {
        why += "; " + sentinel + ": " + e.getMessage();
      }
    }
    throw new IOException("no sentinel tells the address of " + master + why);
  }

  private static @Nullable Host host(@Nullable Object answer) {
    if (answer instanceof List<?> parts
        && parts.size() == SENTINEL_REPLY_PARTS
        && parts.get(0) instanceof String name
        && parts.get(1) instanceof String port
        && port.matches("\\d{1,5}")) {
      return new Host(name, Integer.parseInt(port));
    }
    return null;
  }

  private int millis(int shares) {
    return Math.toIntExact(Math.max(1, timeout.toMillis() / shares));
  }
}
