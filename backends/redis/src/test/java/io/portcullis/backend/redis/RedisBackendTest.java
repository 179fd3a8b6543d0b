package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ReferenceSettings;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisBackendTest {
  private static StorePlan plan(Map<String, String> changes) {
    ReferenceSettings settings = ReferenceSettings.of(RedisBackend.class, changes);
    StorePlan plan = new RedisBackend().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return Objects.requireNonNull(plan);
  }

  private static String refusal(Map<String, String> changes) {
    ReferenceSettings settings = ReferenceSettings.of(RedisBackend.class, changes);
    assertThat(new RedisBackend().plan("orders", "writer", settings)).isNull();
    return String.join("\n", settings.refusals());
  }

  @Test
  void serviceLoaderFindsTheBackend() {
    assertThat(ServiceLoader.load(Backend.class))
        .anyMatch(backend -> backend.name().equals("redis"));
  }

  @Test
  void defaultsMatchTheContract() {
    Timing timing = plan(Map.of()).timing();

    Backoff pace = new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(60), 0.1);
    assertThat(timing.lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(10));
    assertThat(timing.retry())
        .isEqualTo(List.of(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2)));
    assertThat(timing.stepDownAfterRetries()).isTrue();
    assertThat(timing.heldBackoff()).isEqualTo(pace);
    assertThat(timing.unknownBackoff()).isEqualTo(pace);
  }

  @Test
  void onlyAPriorityAboveZeroIsSent() {
    assertThat(plan(Map.of()).carriesPriorityRequestOf(1)).isTrue();
    assertThat(plan(Map.of()).carriesPriorityRequestOf(0)).isFalse();
    assertThat(plan(Map.of()).carriesPriorityRequestOf(-1)).isFalse();
  }

  @Test
  void configuredValuesAreUsed() {
    Timing timing =
        plan(Map.of(
                "timing.lease", "12s",
                "timing.retry", "100ms,200ms",
                "timing.reacquire", "1s",
                "timing.reacquire-max", "3s"))
            .timing();

    assertThat(timing.retry()).isEqualTo(List.of(Duration.ofMillis(100), Duration.ofMillis(200)));
    assertThat(timing.heldBackoff())
        .isEqualTo(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(3), 0.1));
  }

  @ParameterizedTest
  @CsvSource({
    "portcullis:orders:writer, {portcullis:orders:writer}:lease",
    "stargate:leader, {stargate:leader}:lease",
    "leader:{role}, leader:{role}:lease",
    "odd{}key, {odd{}key}:lease"
  })
  void recordKeyIsDerivedFromAnyLeaseKey(String key, String record) {
    assertThat(LeaseKeys.of(key)).isEqualTo(new LeaseKeys(key, record, record + ":events"));
  }

  @Test
  void defaultKeyContainsServiceAndElection() {
    assertThat(plan(Map.of()).storeKey())
        .isEqualTo("redis localhost:6379/0 portcullis:orders:writer");
  }

  @Test
  void noTextFormContainsASecret() {
    StorePlan plan = plan(Map.of("redis.uri", "rediss://bob:hush@redis.example:6380/3"));

    assertThat(plan.describe()).contains("rediss://redis.example:6380/3");
    assertThat(plan.describe() + plan.storeKey() + plan)
        .doesNotContain("hush")
        .doesNotContain("bob");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost",
        "redis://user:hush@",
        "redis://:hush@a,b",
        "redis://:hush@host:99999",
        "redis://:hush@host/first",
        "redis://:hush@host#master",
        "redis-sentinel://:hush@host",
        "redis-cluster://:hush@host/3",
        "redis://:hush@host?timeout=3",
        "redis://:hush@ho st",
        "redis://:hu%zzsh@host",
        "redis://us@er:hush@host"
      })
  void invalidUriIsRefusedWithoutShowingItsPassword(String uri) {
    String refusal = refusal(Map.of("redis.uri", uri));

    assertThat(refusal).startsWith("redis.uri ").doesNotContain("hush").doesNotContain("hu%zz");
  }

  @Test
  void validUrisAreParsed() {
    assertThat(RedisAddress.parse("redis-sentinel://:p%40ss@a,b:7/2#main"))
        .isEqualTo(
            new RedisAddress(
                RedisAddress.Topology.SENTINEL,
                false,
                List.of(new RedisAddress.Host("a", 26379), new RedisAddress.Host("b", 7)),
                2,
                "main",
                null,
                "p@ss"));
    assertThat(RedisAddress.parse("rediss-cluster://[::1]:7,b").hosts())
        .containsExactly(new RedisAddress.Host("::1", 7), new RedisAddress.Host("b", 6379));
    assertThat(RedisAddress.parse("rediss://u:p+x@h").password()).isEqualTo("p+x");
  }

  @Test
  void allContradictingSettingsAreReported() {
    String refusals =
        refusal(
            Map.of(
                "redis.uri", "redis://bob:hush@host",
                "redis.username", "alice",
                "redis.password", "other",
                "redis.ca-file", "/no/such/file"));

    assertThat(refusals).contains("redis.username ", "redis.password ", "redis.ca-file ");
    assertThat(refusals).doesNotContain("hush").doesNotContain("other ");
  }

  @Test
  void userWithoutPasswordAndKeysInTwoSlotsAreRefused() {
    assertThat(refusal(Map.of("redis.username", "alice"))).contains("password-file");
    assertThat(refusal(Map.of("redis.uri", "redis-cluster://a", "redis.key", "a}b")))
        .contains("redis.key ", "slot");
  }

  @Test
  void planningLoadsNoClassOfTheClient() throws Exception {
    ClassLoader without = new NoLettuceClassLoader(RedisBackendTest.class.getClassLoader());
    Object backend = without.loadClass(RedisBackend.class.getName()).getConstructor().newInstance();

    StorePlan plan =
        ((Backend) backend)
            .plan(
                "orders", "writer", (Settings) ReferenceSettings.of(RedisBackend.class, Map.of()));

    assertThat(backend.getClass()).isNotEqualTo(RedisBackend.class);
    assertThat(Objects.requireNonNull(plan).describe()).contains("redis://localhost:6379");
  }

  /** Loads the backend's classes again, and none of the client's. */
  private static final class NoLettuceClassLoader extends ClassLoader {
    NoLettuceClassLoader(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.lettuce.") || name.startsWith("io.netty.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.portcullis.backend.redis.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(in).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
