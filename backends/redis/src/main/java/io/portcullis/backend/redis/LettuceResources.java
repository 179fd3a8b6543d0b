package io.portcullis.backend.redis;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.event.EventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.resource.SocketAddressResolver;
import io.lettuce.core.tracing.Tracing;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;

/**
 * Resources that the connections of Lettuce's client share, reduced to one event loop: no further
 * threads, metrics, tracing, events, native transports or DNS client.
 *
 * <p>Lettuce's {@code DefaultClientResources} cannot be reduced that far: its static initializer
 * creates a DNS client, and its thread pools have at least two threads each.
 */
final class LettuceResources implements ClientResources {
  private final EventLoop eventLoop;
  private final NettyCustomizer customizer;
  private final Timer timer;

  LettuceResources(EventLoop eventLoop, NettyCustomizer customizer) {
    this.eventLoop = eventLoop;
    this.customizer = customizer;
    timer = new EventLoopTimer(eventLoop);
  }

  @Override
  public EventLoopGroupProvider eventLoopGroupProvider() {
    return new SingleEventLoop(eventLoop);
  }

  @Override
  public EventExecutorGroup eventExecutorGroup() {
    return eventLoop;
  }

  @Override
  public Timer timer() {
    return timer;
  }

  @Override
  public NettyCustomizer nettyCustomizer() {
    return customizer;
  }

  /** Addresses are resolved before Netty sees them. */
  @Override
  public AddressResolverGroup<?> addressResolverGroup() {
    return NoopAddressResolverGroup.INSTANCE;
  }

  /** Resolves names on the calling thread, which may block. */
  @Override
  public SocketAddressResolver socketAddressResolver() {
    return new JdkResolver();
  }

  @Override
  public CommandLatencyRecorder commandLatencyRecorder() {
    return CommandLatencyRecorder.disabled();
  }

  @Override
  public EventPublisherOptions commandLatencyPublisherOptions() {
    return DefaultEventPublisherOptions.disabled();
  }

  @Override
  public EventBus eventBus() {
    return new NoEvents();
  }

  @Override
  public Tracing tracing() {
    return Tracing.disabled();
  }

  @Override
  public Delay reconnectDelay() {
    throw new UnsupportedOperationException("connections do not reconnect");
  }

  @Override
  public int computationThreadPoolSize() {
    return 1;
  }

  @Override
  public int ioThreadPoolSize() {
    return 1;
  }

  @Override
  public Builder mutate() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Boolean> shutdown() {
    return shutdown(0, 0, TimeUnit.SECONDS);
  }

  /** The event loop belongs to the connector, which ends it. */
  @Override
  public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
    return eventLoop.newSucceededFuture(true);
  }

  /** Provides the one event loop for every purpose. */
  private record SingleEventLoop(EventLoop eventLoop) implements EventLoopGroupProvider {
    /** Lettuce passes the class of a transport, but uses only the interface of the result. */
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
      return (T) eventLoop;
    }

    @Override
    public int threadPoolSize() {
      return 1;
    }

    @Override
    public Future<Boolean> release(
        EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
      return eventLoop.newSucceededFuture(true);
    }

    @Override
    public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
      return eventLoop.newSucceededFuture(true);
    }
  }

  private static final class JdkResolver extends SocketAddressResolver {
    @Override
    public SocketAddress resolve(RedisURI uri) {
      try {
        return new InetSocketAddress(InetAddress.getByName(uri.getHost()), uri.getPort());
      } catch (UnknownHostException e) {
        throw new RedisConnectionException("unknown host " + uri.getHost(), e);
      }
    }
  }

  /** Drops all events: nothing subscribes to them. */
  private static final class NoEvents implements EventBus {
    @Override
    public Flux<Event> get() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void publish(Event event) {}
  }

  /** Schedules on the event loop; Lettuce's own timer has a thread that wakes every 100 ms. */
  private record EventLoopTimer(EventLoop eventLoop) implements Timer {
    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
      return new EventLoopTimeout(this, task, delay, unit);
    }

    @Override
    public Set<Timeout> stop() {
      return Set.of();
    }
  }

  private static final class EventLoopTimeout implements Timeout, Runnable {
    private final EventLoopTimer timer;
    private final TimerTask task;
    private final ScheduledFuture<?> scheduled;

    EventLoopTimeout(EventLoopTimer timer, TimerTask task, long delay, TimeUnit unit) {
      this.timer = timer;
      this.task = task;
      scheduled = timer.eventLoop().schedule(this, delay, unit);
    }

    @Override
    public void run() {
      try {
        task.run(this);
      } catch (Exception e) {
        throw new IllegalStateException(e); // The event loop logs it.
      }
    }

    @Override
    public Timer timer() {
      return timer;
    }

    @Override
    public TimerTask task() {
      return task;
    }

    @Override
    public boolean isExpired() {
      return scheduled.isDone() && !scheduled.isCancelled();
    }

    @Override
    public boolean isCancelled() {
      return scheduled.isCancelled();
    }

    @Override
    public boolean cancel() {
      return scheduled.cancel(false);
    }
  }
}
