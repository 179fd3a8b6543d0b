package io.portcullis.backend.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisAddress.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the primary. They never reconnect by themselves and take no command while
 * they are down, so that nothing is ever sent late or twice.
 *
 * <p>In a cluster any member is asked first; if it refuses because another serves the key, that one
 * is dialled next. The client's own cluster support is not used: it would send a command again by
 * itself. All methods belong to one thread.
 */
final class Dialer {
  /** Fewer than this the client's event loops can't have. */
  private static final int THREADS = 2;

  private static final int MOST_UNDER_WAY = 64;

  private final Access access;
  private final Duration patience;
  private final HashedWheelTimer timer;
  private final ClientResources resources;
  private final RedisClient client;
  private int nextMember;
  private @Nullable Host serving;

  Dialer(Access access, Duration patience) {
    this.access = access;
    this.patience = patience;
    ClientOptions options =
        options(access, patience); // Before anything that would have to be freed.
    timer = new HashedWheelTimer(new DefaultThreadFactory("portcullis-redis-timer", true));
    resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .eventBus(new NoEvents())
            .timer(timer)
            .build();
    client = new LeanClient(resources);
    client.setOptions(options);
  }

  private static ClientOptions options(Access access, Duration patience) {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(patience);
    if (access.caFile() != null) {
      ssl.trustManager(access.caFile().toFile());
    }
    return ClientOptions.builder()
        .autoReconnect(false)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .pingBeforeActivateConnection(false)
        .protocolVersion(ProtocolVersion.RESP2)
        .requestQueueSize(MOST_UNDER_WAY)
        .socketOptions(SocketOptions.builder().connectTimeout(patience).keepAlive(true).build())
        .sslOptions(ssl.build())
        .build();
  }

  CompletionStage<StatefulRedisConnection<String, String>> dial() {
    return guarded(() -> client.connectAsync(StringCodec.UTF8, uri()));
  }

  CompletionStage<StatefulRedisPubSubConnection<String, String>> dialForEvents() {
    return guarded(() -> client.connectPubSubAsync(StringCodec.UTF8, uri()));
  }

  /** Certificates that can't be read are found here: no connection, like any other failure. */
  private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> dialling) {
    try {
      return dialling.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
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
    nextMember++;
  }

  private RedisURI uri() {
    RedisAddress address = access.address();
    if (address.kind() != Kind.SENTINEL) {
      return finished(RedisURI.builder().withHost(target().name()).withPort(target().port()));
    }
    RedisURI.Builder builder =
        RedisURI.builder().withSentinelMasterId(Objects.requireNonNull(address.master()));
    for (Host host : address.hosts()) {
      RedisURI.Builder sentinel = RedisURI.builder().withHost(host.name()).withPort(host.port());
      builder.withSentinel(secured(sentinel).build());
    }
    return finished(builder);
  }

  private RedisURI.Builder secured(RedisURI.Builder builder) {
    if (access.address().tls()) {
      SslVerifyMode mode = access.verifyHost() ? SslVerifyMode.FULL : SslVerifyMode.CA;
      builder.withSsl(true).withVerifyPeer(mode);
    }
    return builder.withTimeout(patience);
  }

  private RedisURI finished(RedisURI.Builder builder) {
    secured(builder).withDatabase(access.address().database());
    String password = access.password();
    if (password != null && access.user() != null) {
      builder.withAuthentication(access.user(), password.toCharArray());
    } else if (password != null) {
      builder.withPassword(password.toCharArray());
    }
    return builder.build();
  }

  /** Frees threads and connections without waiting for it. */
  void close() {
    var unused =
        client.shutdownAsync(0, 1, TimeUnit.SECONDS).whenComplete((done, error) -> freeThreads());
  }

  private void freeThreads() {
    timer.stop();
    var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
