package io.portcullis.backend.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisAsyncCommandsImpl;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubAsyncCommandsImpl;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce client whose connections have no command interfaces; commands are dispatched instead.
 *
 * <p>A connection of the original client implements every Redis command three times: blocking,
 * asynchronous and reactive. Loading these classes takes longer than all the rest of this backend,
 * which sends seven commands.
 */
final class LeanRedisClient extends RedisClient {
  LeanRedisClient(ClientResources resources) {
    super(resources, new RedisURI());
  }

  /** Made accessible to this package. */
  @Override
  public void setOptions(ClientOptions options) {
    super.setOptions(options);
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new LeanConnection<>(writer, pushes, codec, timeout);
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new LeanPubSubConnection<>(endpoint, writer, codec, timeout);
  }

  private static final class LeanConnection<K, V> extends StatefulRedisConnectionImpl<K, V> {
    LeanConnection(
        RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
      super(writer, pushes, codec, timeout);
    }

    @Override
    protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }

    @Override
    protected @Nullable RedisAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
      return null;
    }

    @Override
    protected @Nullable RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
      return null;
    }
  }

  private static final class LeanPubSubConnection<K, V>
      extends StatefulRedisPubSubConnectionImpl<K, V> {
    LeanPubSubConnection(
        PubSubEndpoint<K, V> endpoint,
        RedisChannelWriter writer,
        RedisCodec<K, V> codec,
        Duration timeout) {
      super(endpoint, writer, codec, timeout);
    }

    @Override
    protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }

    @Override
    protected @Nullable RedisPubSubAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
      return null;
    }

    @Override
    protected @Nullable RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
      return null;
    }
  }
}
