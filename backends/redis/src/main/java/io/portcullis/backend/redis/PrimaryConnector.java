package io.portcullis.backend.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.portcullis.backend.redis.LettuceConnector.OpenConnection;
import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisAddress.Topology;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection to the primary, whose address sentinels report if there are any.
 *
 * <p>Lettuce's own lookup through sentinels is not used: it waits for the first sentinel that
 * accepts a connection, so an unresponsive one would hide the others, and it needs the reactive
 * API.
 *
 * @param hosts the primary alone, or sentinels in the order in which they are queried
 * @param timeout the time limit for queries and connection together
 */
record PrimaryConnector(
    LettuceConnector connector, RedisAccess access, List<Host> hosts, Duration timeout) {
  private static final int SENTINEL_REPLY_PARTS = 2;

  /** Opens a connection for commands. */
  CompletableFuture<OpenConnection<StatefulConnection<String, String>>> connect() {
    return primary().thenCompose(primary -> connector.connect(primary, timeout));
  }

  /** Opens a connection for {@code SUBSCRIBE}. */
  CompletableFuture<OpenConnection<StatefulRedisPubSubConnection<String, String>>> connectPubSub() {
    return primary().thenCompose(primary -> connector.connectPubSub(primary, timeout));
  }

  /**
   * Uses the first primary that a sentinel names. A wrong response does no harm, because each
   * script checks that it runs on a primary.
   */
  private CompletableFuture<Host> primary() {
    if (access.address().topology() != Topology.SENTINEL) {
      return CompletableFuture.completedFuture(hosts.get(0));
    }
    CompletableFuture<Host> found = new CompletableFuture<>();
    querySentinel(0, "", found);
    return found;
  }

  private void querySentinel(int index, String problems, CompletableFuture<Host> found) {
    String master = Objects.requireNonNull(access.address().master());
    if (index == hosts.size()) {
      found.completeExceptionally(
          new IOException("no sentinel reports the address of " + master + problems));
      return;
    }
    Host sentinel = hosts.get(index);
    var unused =
        query(sentinel, master)
            .whenComplete(
                (primary, failure) -> {
                  if (primary != null) {
                    found.complete(primary);
                    return;
                  }
                  String why =
                      failure == null
                          ? " has no primary of that name"
                          : ": " + RedisErrorMessages.root(failure).getMessage();
                  querySentinel(index + 1, problems + "; " + sentinel + why, found);
                });
  }

  /** Null if the sentinel knows no such primary. */
  private CompletableFuture<@Nullable Host> query(Host sentinel, String master) {
    // A share of the time, so that an unresponsive sentinel leaves time for the others and the
    // primary.
    Duration share = timeout.dividedBy(hosts.size() + 1L);
    long deadlineNanos = System.nanoTime() + share.toNanos();
    return connector
        .connectSentinel(sentinel, share)
        .thenCompose(
            open -> {
              AsyncCommand<String, String, @Nullable Object> command =
                  new AsyncCommand<>(
                      new Command<>(
                          CommandType.SENTINEL,
                          new ReplyOutput(),
                          new CommandArgs<>(StringCodec.UTF8)
                              .add("get-master-addr-by-name")
                              .add(master)));
              connector.failAfter(deadlineNanos - System.nanoTime(), command);
              var unused = open.lettuce().dispatch(command);
              return command.whenComplete((reply, failure) -> open.close());
            })
        .thenApply(PrimaryConnector::host);
  }

  private static @Nullable Host host(@Nullable Object reply) {
    if (reply instanceof List<?> parts
        && parts.size() == SENTINEL_REPLY_PARTS
        && parts.get(0) instanceof String name
        && parts.get(1) instanceof String port
        && port.matches("\\d{1,5}")) {
      return new Host(name, Integer.parseInt(port));
    }
    return null;
  }
}
