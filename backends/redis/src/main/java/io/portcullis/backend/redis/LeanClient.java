package io.portcullis.backend.redis;

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
 * Lettuce's client, whose connections know how to send a command but have none of their own. Each
 * connection of the usual one comes with every command of Redis three times over (blocking, by
 * futures, reactive); loading those would cost the service's start more than all the rest of this
 * backend, and this one sends five: see {@link Commands}.
 */
final class LeanClient extends RedisClient {
  LeanClient(ClientResources resources) {
    super(resources, new RedisURI());
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new Connection<>(writer, pushes, codec, timeout);
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new EventConnection<>(endpoint, writer, codec, timeout);
  }

  private static final class Connection<K, V> extends StatefulRedisConnectionImpl<K, V> {
    Connection(
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

  private static final class EventConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {
    EventConnection(
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
