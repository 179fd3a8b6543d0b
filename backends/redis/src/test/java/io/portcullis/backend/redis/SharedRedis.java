package io.portcullis.backend.redis;

import io.portcullis.servers.RedisServer;

/** A server for all tests that leave it as it was; ends with the JVM. */
final class SharedRedis {
  static final RedisServer SERVER =
      RedisFixture.grown(RedisServer.start("--databases 16"), RedisFixture.STEADY_LEASE);

  private SharedRedis() {}
}
