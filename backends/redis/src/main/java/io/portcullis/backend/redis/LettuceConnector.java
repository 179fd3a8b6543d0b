package io.portcullis.backend.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.AttributeKey;
import io.portcullis.backend.redis.RedisAddress.Host;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.election.backend.PemSslContextFactory;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with Lettuce. All connections of one store share one event loop thread.
 *
 * <p>A connection never reconnects, and it rejects commands while it is disconnected, so Lettuce
 * never buffers or replays a command. Passwords and certificates are read for each connection. A
 * second thread, which ends when it is idle, resolves names and reads files, because either may
 * block.
 */
final class LettuceConnector {
  /** Commands of one connection that may wait for replies; an election has at most five. */
  private static final int MAX_PENDING_COMMANDS = 64;

  private static final int MAX_PENDING_ATTEMPTS = 16;
  private static final Duration CONNECT_THREAD_IDLE = Duration.ofSeconds(5);
  private static final AttributeKey<Attempt> ATTEMPT = AttributeKey.valueOf("portcullis.attempt");

  private final RedisAccess access;
  private final ScheduledExecutorService scheduler;
  private final ThreadPoolExecutor connecting;
  private final SingleThreadIoEventLoop eventLoop;
  private final LeanRedisClient client;
  private volatile boolean closed;
  private volatile String sentPassword = "";

  /** The attempt whose channel is being set up; used by the connecting thread only. */
  private @Nullable Attempt starting;

  /**
   * @param name prefix of the names of both threads
   * @param scheduler runs the time limit of each attempt
   */
  LettuceConnector(RedisAccess access, String name, ScheduledExecutorService scheduler) {
    this.access = access;
    this.scheduler = scheduler;
    connecting =
        DaemonThreads.pool(
            () -> name + "-connect",
            1,
            1,
            CONNECT_THREAD_IDLE,
            new ArrayBlockingQueue<>(MAX_PENDING_ATTEMPTS),
            new AbortPolicy());
    eventLoop =
        new SingleThreadIoEventLoop(
            null, DaemonThreads.factory(name + "-io", () -> closed), NioIoHandler.newFactory());
    client = new LeanRedisClient(new LettuceResources(eventLoop, new ChannelSetup()));
  }

  SingleThreadIoEventLoop eventLoop() {
    return eventLoop;
  }

  /** The password of the last attempt to log in; empty if there was none. Never blocks. */
  String sentPassword() {
    return sentPassword;
  }

  /** Connects to a server that holds the lease: logs in and selects the database. */
  CompletableFuture<OpenConnection<StatefulConnection<String, String>>> connect(
      Host host, Duration timeout) {
    return open(
        timeout, new Attempt(false), () -> primary(host, timeout), uri -> connectAsync(uri));
  }

  /** Connects for {@code SUBSCRIBE}. */
  CompletableFuture<OpenConnection<StatefulRedisPubSubConnection<String, String>>> connectPubSub(
      Host host, Duration timeout) {
    return open(
        timeout,
        new Attempt(true),
        () -> primary(host, timeout),
        uri -> client.connectPubSubAsync(StringCodec.UTF8, uri));
  }

  /** Connects to a sentinel. Sentinels get neither credentials nor a database. */
  CompletableFuture<OpenConnection<StatefulConnection<String, String>>> connectSentinel(
      Host host, Duration timeout) {
    return open(timeout, new Attempt(false), () -> uri(host, timeout), uri -> connectAsync(uri));
  }

  private ConnectionFuture<StatefulConnection<String, String>> connectAsync(RedisURI uri) {
    return client.connectAsync(StringCodec.UTF8, uri).thenApply(connection -> connection);
  }

  private <C extends StatefulConnection<String, String>> CompletableFuture<OpenConnection<C>> open(
      Duration timeout,
      Attempt attempt,
      UriSource uri,
      Function<RedisURI, ConnectionFuture<C>> connector) {
    CompletableFuture<OpenConnection<C>> opening = new CompletableFuture<>();
    try {
      connecting.execute(() -> start(opening, timeout, attempt, uri, connector));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new IOException("too many connection attempts"));
    }
    failAfter(timeout.toNanos(), opening);
    return opening.whenComplete(
        (open, failure) -> {
          if (failure != null) {
            attempt.cancel();
          }
        });
  }

  /** Fails a future that is not complete after that time. */
  void failAfter(long nanos, CompletableFuture<?> future) {
    var unused =
        scheduler.schedule(
            () -> future.completeExceptionally(new TimeoutException("no reply in time")),
            nanos,
            TimeUnit.NANOSECONDS);
  }

  private <C extends StatefulConnection<String, String>> void start(
      CompletableFuture<OpenConnection<C>> opening,
      Duration timeout,
      Attempt attempt,
      UriSource uri,
      Function<RedisURI, ConnectionFuture<C>> connector) {
    if (opening.isDone()) {
      return; // It timed out while it waited for this thread.
    }
    try {
      client.setOptions(options(timeout));
      starting = attempt;
      var unused =
          connector
              .apply(uri.get())
              .whenComplete(
                  (connection, failure) -> {
                    if (failure != null) {
                      opening.completeExceptionally(failure);
                      return;
                    }
                    OpenConnection<C> open =
                        new OpenConnection<>(connection, Objects.requireNonNull(attempt.channel));
                    if (!opening.complete(open)) {
                      open.close();
                    }
                  });
    } catch (IOException | RuntimeException | LinkageError e) {
      opening.completeExceptionally(e);
    } finally {
      starting = null;
    }
  }

  private ClientOptions options(Duration timeout) throws IOException {
    ClientOptions.Builder options =
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .pingBeforeActivateConnection(false)
            .protocolVersion(ProtocolVersion.RESP2)
            .requestQueueSize(MAX_PENDING_COMMANDS)
            .socketOptions(SocketOptions.builder().connectTimeout(timeout).keepAlive(true).build())
            // Each command's deadline is kept by the store's thread: it also closes the connection,
            // and holds while the event loop is blocked.
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
    if (access.address().tls()) {
      options.sslOptions(
          SslOptions.builder()
              .jdkSslProvider()
              .handshakeTimeout(timeout)
              .trustManager(PemSslContextFactory.trustManagerFactory(access.caFile()))
              .build());
    }
    return options.build();
  }

  private RedisURI primary(Host host, Duration timeout) {
    RedisURI uri = uri(host, timeout);
    uri.setDatabase(access.address().database());
    Secret secret = access.password();
    if (secret != null) {
      String user = access.user();
      String password = secret.current();
      sentPassword = password;
      uri.setCredentialsProvider(new StaticCredentialsProvider(user, password.toCharArray()));
    }
    return uri;
  }

  private RedisURI uri(Host host, Duration timeout) {
    RedisURI uri = new RedisURI(host.name(), host.port(), timeout);
    uri.setSsl(access.address().tls());
    uri.setVerifyPeer(access.verifyHost() ? SslVerifyMode.FULL : SslVerifyMode.CA);
    // Otherwise Lettuce sends CLIENT SETINFO, for which a minimal ACL user has no right.
    uri.setLibraryName("");
    uri.setLibraryVersion("");
    return uri;
  }

  /** Closes all connections and ends both threads, without waiting for that. */
  void close() {
    closed = true;
    var unusedTasks = connecting.shutdownNow();
    var unusedClosing = client.shutdownAsync(0, 0, TimeUnit.NANOSECONDS);
    var unusedEnding = eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** Supplies the URI of an attempt; may read files, such as the password's. */
  private interface UriSource {
    RedisURI get() throws IOException;
  }

  /** An open connection and its channel. */
  record OpenConnection<C extends StatefulConnection<String, String>>(C lettuce, Channel channel) {
    boolean isOpen() {
      return channel.isActive();
    }

    void close() {
      var unused = lettuce.closeAsync();
    }
  }

  /** One attempt to open a connection. */
  private static final class Attempt {
    final boolean subscriber;
    volatile @Nullable Channel channel;
    private volatile boolean cancelled;

    Attempt(boolean subscriber) {
      this.subscriber = subscriber;
    }

    void onChannel(Channel created) {
      channel = created;
      if (cancelled) {
        var unused = created.close();
      }
    }

    void cancel() {
      cancelled = true;
      Channel created = channel;
      if (created != null) {
        var unused = created.close();
      }
    }
  }

  /** Adds the reply limits to each channel. */
  private final class ChannelSetup implements NettyCustomizer {
    /** Called by the connecting thread, within the call that starts the attempt. */
    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
      bootstrap.attr(ATTEMPT, Objects.requireNonNull(starting));
      // Heap buffers, because the limit on direct memory belongs to the application.
      bootstrap.option(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false, true));
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      Attempt attempt = Objects.requireNonNull(channel.attr(ATTEMPT).get());
      ReplyLimitHandler.addTo(channel.pipeline(), attempt.subscriber);
      attempt.onChannel(channel);
    }
  }
}
