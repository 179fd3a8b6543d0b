package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.RedisCommand;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class RedisFaultIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONGER_LEASE = Duration.ofSeconds(4);
  private static final String KEY = "portcullis:ledger:writer";
  private static final String RECORD = "{portcullis:ledger:writer}:lease";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private RedisServer redis;

  @BeforeEach
  void requireControllableRedis() {
    redis = stage.redis();
    assumeTrue(redis.isControllable(), "needs a Redis that can be killed");
  }

  @Test
  void redisRestartWithDataLossNeverAllowsTwoWriters() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.join("a", conf(LEASE));
    trial.join("b", conf(LEASE));
    long first = trial.awaitLeaderAfter(0).status().epoch();

    redis.restart();
    long second = trial.awaitLeaderAfter(first).status().epoch();
    redis.kill();
    redis.restart();
    trial.awaitLeaderAfter(second);

    assertThat(trial.stopAndCheck().grants()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void allRefuseWhileRedisIsDownThenOneLeads() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    ServiceJvm a = trial.join("a", conf(LEASE));
    ServiceJvm b = trial.join("b", conf(LEASE));
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    redis.kill();
    trial.awaitNoLeader();
    assertThat(a.write().refused()).isTrue();
    assertThat(b.write().refused()).isTrue();
    assertThat(a.get("/healthz").status()).isEqualTo(200);
    redis.restart();
    trial.awaitLeaderAfter(epoch);

    trial.stopAndCheck();
  }

  @Test
  void redisStoppedBeyondTheLeaseLeavesNoLeader() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.join("a", conf(LEASE));
    trial.join("b", conf(LEASE));
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    redis.pause();
    trial.awaitNoLeader();
    redis.resume();
    trial.awaitLeaderAfter(epoch);

    trial.stopAndCheck();
  }

  @Test
  void deletedKeyOrRecordNeverAllowsTwoLeaders() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.join("a", conf(LEASE));
    trial.join("b", conf(LEASE));
    long first = trial.awaitLeaderAfter(0).status().epoch();

    assertThat(RedisCommand.run(redis, "DEL " + KEY)).isEqualTo(":1");
    long second = trial.awaitLeaderAfter(first).status().epoch();
    assertThat(RedisCommand.run(redis, "DEL " + KEY + " " + RECORD)).isEqualTo(":2");
    trial.awaitLeaderAfter(second);

    trial.stopAndCheck();
  }

  @Test
  void nodesWaitForTheLongestLeaseAfterRedisLosesData() throws IOException, InterruptedException {
    String longest = LONGER_LEASE.toMillis() + "ms";
    String key = "elections.writer.timing.longest-lease";
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LONGER_LEASE);
    trial.join("long", conf(LONGER_LEASE).set(key, longest));
    long first = trial.awaitLeaderAfter(0).status().epoch();
    trial.join("short", conf(LEASE).set(key, longest));

    assertThat(RedisCommand.run(redis, "FLUSHALL")).isEqualTo("+OK");
    long second = trial.awaitLeaderAfter(first).status().epoch();
    redis.restart();
    trial.awaitLeaderAfter(second);

    trial.stopAndCheck();
  }

  @Test
  void afterLeaseModeWaitsOutAFlushedRedis() throws IOException, InterruptedException {
    String key = "elections.writer.timing.first-election";
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.join("a", conf(LEASE).set(key, "after-lease"));
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    assertThat(RedisCommand.run(redis, "FLUSHALL")).isEqualTo("+OK");
    trial.join("b", conf(LEASE).set(key, "after-lease"));
    trial.awaitLeaderAfter(epoch);

    trial.stopAndCheck();
  }

  private AgentConf conf(Duration lease) {
    return AgentConf.ledger(redis.uri(), lease);
  }
}
