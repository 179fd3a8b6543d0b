package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisTlsTest {
  @TempDir Path folder;

  @Test
  void privateCaIsTrustedOnlyThroughItsFile() throws Exception {
    try (TlsProxy front = front("ip:127.0.0.1,dns:localhost");
        Claimant trusting = claimant(front, front.certificate(), true);
        Claimant wary = claimant(front, null, true)) {

      awaitAnswer(trusting);

      assertThat(trusting.lead().epoch()).isPositive();
      awaitRefusal(wary);
    }
  }

  @Test
  void certificateForAnotherHostNeedsHostCheckOff() throws Exception {
    try (TlsProxy front = front("dns:elsewhere.example");
        Claimant strict = claimant(front, front.certificate(), true);
        Claimant lenient = claimant(front, front.certificate(), false)) {

      awaitAnswer(lenient);

      awaitRefusal(strict);
    }
  }

  @Test
  void fileWithoutCertificatesIsReported() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "no certificate");
    try (TlsProxy front = front("ip:127.0.0.1");
        Claimant a = claimant(front, empty, true)) {
      await().atMost(RedisFixture.LONG).until(() -> refusal(a).contains("ertificate"));
    }
  }

  private TlsProxy front(String names) throws Exception {
    return TlsProxy.before(SharedRedis.SERVER.port(), folder, names);
  }

  private static Claimant claimant(TlsProxy front, @Nullable Path caFile, boolean verifyHost) {
    RedisAddress address = RedisAddress.parse("rediss://127.0.0.1:" + front.port());
    RedisAccess access = new RedisAccess(address, null, null, caFile, verifyHost);
    return new RedisFixture(SharedRedis.SERVER.port(), access, RedisFixture.newKeys(), 0)
        .claimant("a");
  }

  /** The first handshake of a JVM may exceed a request's timeout. */
  private static void awaitAnswer(Claimant who) {
    await()
        .atMost(RedisFixture.LONG)
        .until(() -> who.ask(new LeaseRequest.Look()) instanceof LeaseResponse.HeldByOther);
  }

  /** Returns why all requests are unknown, once a handshake was fast enough to show it. */
  private static void awaitRefusal(Claimant who) {
    await().atMost(RedisFixture.LONG).until(() -> refusal(who).contains("can't be reached"));
  }

  private static String refusal(Claimant who) {
    return ((LeaseResponse.Unknown) who.ask(new LeaseRequest.Look())).why();
  }
}
