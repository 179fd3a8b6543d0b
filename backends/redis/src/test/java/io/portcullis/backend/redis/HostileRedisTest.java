package io.portcullis.backend.redis;

import static io.portcullis.backend.redis.HostileRedis.GRANTED;
import static io.portcullis.backend.redis.HostileRedis.HELD;
import static io.portcullis.backend.redis.HostileRedis.saying;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.redis.ReplyLimitHandler.ReplyScanner;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are not Redis, or send invalid responses. */
class HostileRedisTest {
  private static final Duration ASK = RedisFixture.LEASE.dividedBy(2);

  private HostileRedis redis;
  private Claimant a;

  @BeforeEach
  void start() throws IOException {
    redis = new HostileRedis();
    a = site("redis://127.0.0.1:" + redis.port()).claimant("a");
    await().atMost(RedisFixture.LONG).until(() -> look() instanceof HeldByOther);
  }

  @AfterEach
  void stop() throws IOException {
    a.close();
    redis.close();
  }

  private static RedisFixture site(String uri) {
    return new RedisFixture(0, RedisFixture.access(uri), RedisFixture.newKeys(), 0);
  }

  /** Shortens the response timeout from now on; the test withholds a response. */
  private void waitForAnswersOnly(Duration ask) {
    a.close();
    a = site("redis://127.0.0.1:" + redis.port()).claimant("a", ask);
    await().atMost(RedisFixture.LONG).until(() -> look() instanceof HeldByOther);
  }

  private LeaseResponse look() {
    return a.ask(new LeaseRequest.Look());
  }

  private String failureMessage() {
    return ((LeaseResponse.Unknown) look()).why();
  }

  @Test
  void steppedServerClockEndsNoLeaseEarly() {
    redis.answers(saying(HostileRedis.held("v1", 900, 100_000)));
    look();

    redis.answers(saying(HostileRedis.held("v2", 0, 160_000)));

    assertThat(Claimant.shown(look()).remaining()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void replyWithoutTheServerClockIsUnknown() {
    redis.answers(saying(HostileRedis.held("v1", 900, -1).replace("-1", "no")));

    assertThat(failureMessage()).contains("is invalid");
  }

  @Test
  void slowlyArrivingReplyIsCutOffAtTheDeadline() {
    waitForAnswersOnly(ASK);
    redis.answers(
        to -> {
          to.write("*10\r\n$60000\r\n".getBytes(UTF_8));
          while (true) { // Keeps sending until the client closes the connection.
            to.write('x');
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          }
        });

    long asked = System.nanoTime();
    String why = failureMessage();
    Duration took = Duration.ofNanos(System.nanoTime() - asked);

    assertThat(why).contains("no response within 500 ms");
    assertThat(took).isGreaterThan(ASK.minusMillis(50));
    await().atMost(RedisFixture.LONG).until(() -> redis.hasEnded(redis.lastUsed()));
  }

  @Test
  void connectionWithAnOverdueReplyIsNeverUsedAgain() throws Exception {
    waitForAnswersOnly(Duration.ofSeconds(2));
    CountDownLatch late = new CountDownLatch(1);
    redis.answers(
        to -> {
          awaitUninterrupted(late);
          to.write(GRANTED.getBytes(UTF_8));
        });
    assertThat(failureMessage()).contains("no response within");
    int overdue = redis.lastUsed();

    redis.answers(saying(HELD));
    late.countDown();

    assertThat(look()).isInstanceOf(HeldByOther.class);
    assertThat(look()).isInstanceOf(HeldByOther.class);
    assertThat(redis.scripts().stream().filter(n -> n > overdue)).hasSize(2);
    await().atMost(RedisFixture.LONG).until(() -> redis.hasEnded(overdue));
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"$1000000000\r\n", "*1000000000\r\n", "*10\r\n$1000000000\r\n"})
  void excessiveLengthIsRefusedBeforeMemoryIsAllocated(String announced) {
    redis.answers(saying(announced));

    assertThat(failureMessage()).contains("length 1000000000");
    await().atMost(RedisFixture.LONG).until(() -> redis.hasEnded(redis.lastUsed()));
  }

  @Test
  void manyPartsOfValidLengthAreRefusedTogether() {
    redis.answers(saying("*200000\r\n".repeat(2)));

    assertThat(failureMessage()).contains("too long");
  }

  @Test
  void excessiveNestingAndLineLengthAreRefused() {
    redis.answers(saying("*1\r\n".repeat(100_000)));
    assertThat(failureMessage()).contains("nested too deeply");

    redis.answers(saying("-ERR " + "x".repeat(2 * ReplyScanner.MAX_REPLY_BYTES)));
    assertThat(failureMessage()).contains("too long");

    redis.answers(saying(HELD));
    assertThat(look()).isInstanceOf(HeldByOther.class);
  }

  @Test
  void endlessRepliesAfterAValidOneCloseTheConnection() {
    redis.answers(HostileRedis.endlessly(HELD, GRANTED));

    assertThat(look()).isNotInstanceOf(LeaseResponse.Granted.class);
    int flooded = redis.lastUsed();
    await().atMost(RedisFixture.LONG).until(() -> redis.hasEnded(flooded));

    redis.answers(saying(HELD));
    assertThat(look()).isInstanceOf(HeldByOther.class);
    assertThat(redis.lastUsed()).isGreaterThan(flooded);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "+OK\r\n",
        ":1\r\n",
        "$-1\r\n",
        "%1\r\n+a\r\n+b\r\n"
      })
  void replyOfAnotherTypeClosesTheConnection(String answer) {
    redis.answers(saying(answer));

    assertThat(look()).isInstanceOf(LeaseResponse.Unknown.class);

    await().atMost(RedisFixture.LONG).until(() -> redis.hasEnded(redis.lastUsed()));
  }

  @Test
  void requestUsesANewConnectionAfterTheServerClosedIt() throws Exception {
    int hungUp = redis.lastUsed();
    redis.connection(hungUp).close();
    assertThat(look()).isInstanceOf(HeldByOther.class);

    int unasked = redis.lastUsed();
    assertThat(unasked).isGreaterThan(hungUp);
    redis.connection(unasked).getOutputStream().write(GRANTED.getBytes(UTF_8));
    assertThat(look()).isInstanceOf(HeldByOther.class);
    assertThat(redis.lastUsed()).isGreaterThan(unasked);
  }

  @Test
  void passwordEchoedByTheServerIsNotLogged() {
    redis.answers(
        saying("-ERR unknown command 'AUTH', with args beginning with: 's\u00e9cret-W' \r\n"));
    RedisFixture site = site("redis://:s%C3%A9cret-Word@127.0.0.1:" + redis.port());
    try (Claimant b = site.claimant("b")) {
      String why = ((LeaseResponse.Unknown) b.ask(new LeaseRequest.Look())).why();

      assertThat(why).contains("unknown command 'AUTH'").doesNotContain("cret-W");
    }

    redis.answers(saying("-ERR what is s\u00e9cret-Word?\r\n"));
    try (Claimant b = site.claimant("b")) {
      assertThat(((LeaseResponse.Unknown) b.ask(new LeaseRequest.Look())).why())
          .contains("what is ***?");
    }
  }

  @Test
  void silentServerCostsTimeoutsButNoThreads() throws IOException {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Claimant b = site("rediss://127.0.0.1:" + silent.getLocalPort()).claimant("b", ASK)) {
      for (int i = 0; i < 6; i++) {
        assertThat(b.ask(new LeaseRequest.Look())).isInstanceOf(LeaseResponse.Unknown.class);
      }

      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !before.contains(thread))
          .filteredOn(thread -> thread.getName().matches("portcullis-.*redis.*"))
          .hasSizeLessThanOrEqualTo(3);
    }
  }
}
