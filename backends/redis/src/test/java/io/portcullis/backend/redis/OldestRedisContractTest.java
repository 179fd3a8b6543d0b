package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.portcullis.election.contract.StoreFixture;
import io.portcullis.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on the oldest version that the documentation names. */
@Tag("slow")
class OldestRedisContractTest extends RedisContractTest {
  private static final String VERSION = "redis_version:6.2.";

  private static RedisServer oldest;

  @BeforeAll
  static void start() {
    assumeFalse(
        isOldest(SharedRedis.SERVER), "RedisContractTest runs on this version, without Docker");
    oldest = RedisFixture.grown(RedisServer.startLocal(), RedisFixture.STEADY_LEASE);
  }

  @AfterAll
  static void stop() {
    if (oldest != null) {
      oldest.close();
    }
  }

  private static boolean isOldest(RedisServer server) {
    return RedisCli.command(server, "INFO", "server").contains(VERSION);
  }

  @Override
  protected StoreFixture newFixture() {
    return RedisFixture.on(oldest);
  }

  @Test
  void serverHasTheVersionOfTheDocumentation() {
    assertThat(isOldest(oldest)).isTrue();
  }
}
