package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.net.Member;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.config.Pace;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ReferenceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumBackendTest {
  private static final String SECRET = "hush-hush-hush-hush";

  @TempDir Path folder;

  /** Right settings of node b with these changes; an empty text takes a key away. */
  private static ReferenceSettings settings(Map<String, String> changes) {
    Map<String, String> all = new HashMap<>();
    all.put("quorum.members.a", "10.0.0.7:7400");
    all.put("quorum.members.b", "10.0.0.8:7400");
    all.put("quorum.members.c", "10.0.0.9:7400");
    all.put("quorum.self", "b");
    all.put("quorum.secret", SECRET);
    all.put("quorum.data-dir", "/var/lib/portcullis");
    all.putAll(changes);
    all.values().removeIf(String::isEmpty);
    return ReferenceSettings.of(QuorumBackend.class, all);
  }

  private static QuorumPlan plan(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    Object plan = new QuorumBackend().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return (QuorumPlan) Objects.requireNonNull(plan);
  }

  private static List<String> refusals(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(new QuorumBackend().plan("orders", "writer", settings)).isNull();
    assertThat(settings.refusals()).isNotEmpty().noneMatch(text -> text.contains(SECRET));
    return settings.refusals();
  }

  private static String refusal(Map<String, String> changes) {
    List<String> refusals = refusals(changes);
    assertThat(refusals).hasSize(1);
    return refusals.get(0);
  }

  @Test
  void theServiceLoaderFindsIt() {
    assertThat(ServiceLoader.load(Backend.class))
        .anyMatch(backend -> backend.name().equals("quorum"));
  }

  @Test
  void theDefaultsAreThoseOfTheContract() {
    QuorumPlan plan = plan(Map.of());

    Timing timing = plan.timing();
    assertThat(timing.lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(1));
    assertThat(timing.retry()).isEqualTo(List.of(Duration.ofMillis(250)));
    assertThat(timing.stepDownAfterRetries()).isFalse();
    assertThat(timing.holdAfterLapse()).isZero();
    assertThat(timing.whenHeld()).isEqualTo(Pace.steady(Duration.ofSeconds(1), 0.1));
    assertThat(timing.whenUnknown())
        .isEqualTo(Pace.between(Duration.ofNanos(37_500_000), Duration.ofMillis(75)));
    assertThat(plan.tempo().electionMin()).isEqualTo(Duration.ofMillis(150));
    assertThat(plan.tempo().electionMax()).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void aPlanHoldsAllThatIsNeededToTakePart() {
    QuorumPlan plan = plan(Map.of("quorum.listen", "0.0.0.0:7500"));

    assertThat(plan.cluster()).isEqualTo("orders/writer");
    assertThat(plan.members())
        .containsExactly(
            new Member("a", "10.0.0.7", 7400),
            new Member("b", "10.0.0.8", 7400),
            new Member("c", "10.0.0.9", 7400));
    assertThat(plan.self()).isEqualTo(1);
    assertThat(plan.listen()).isEqualTo(new Address("0.0.0.0", 7500));
    assertThat(plan.trust().secrets()).containsExactly(SECRET);
    assertThat(plan.trust().tls()).isNull();
    assertThat(plan.dataDir()).isEqualTo(Path.of("/var/lib/portcullis"));
    assertThat(plan.storeKey()).isEqualTo("quorum 0.0.0.0:7500");
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void withoutListenTheOwnMembersAddressIsUsed() {
    assertThat(plan(Map.of()).listen()).isEqualTo(new Address("10.0.0.8", 7400));
  }

  @Test
  void nothingThatIsShownHoldsASecret() {
    QuorumPlan plan = plan(Map.of("quorum.other-secret", "other-" + SECRET));

    assertThat(plan.trust().secrets()).containsExactly(SECRET, "other-" + SECRET);
    assertThat(plan.describe()).contains("quorum of 3 members", "this is b", "two shared secrets");
    assertThat(plan.describe() + plan.storeKey() + plan).doesNotContain("hush");
  }

  @Test
  void thereMustBeThreeMembersOfWhomOneCanBeAWitness() {
    assertThat(refusal(Map.of("quorum.members.c", "")))
        .startsWith("quorum.members names 2 of them; there must be at least 3")
        .contains("two service nodes and one witness");
    assertThat(
            refusals(
                Map.of("quorum.members.a", "", "quorum.members.b", "", "quorum.members.c", "")))
        .anyMatch(text -> text.startsWith("quorum.members names no members; there must be"))
        .hasSize(2);
  }

  @Test
  void thereMustBeAHundredAtMost() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 97; i++) {
      many.put("quorum.members.x" + i, "10.0.1." + i + ":7400");
    }
    assertThat(plan(many).members()).hasSize(100);

    many.put("quorum.members.one-more", "10.0.2.1:7400");
    assertThat(refusal(many)).startsWith("quorum.members names 101 of them; there must be at most");
  }

  @Test
  void anEvenNumberIsAllowedAndWarnedOf() {
    assertThat(plan(Map.of("quorum.members.d", "10.0.0.10:7400")).warnings())
        .singleElement()
        .asString()
        .contains("names 4: an even number tolerates no more failures than one less, 3");
  }

  @Test
  void aRelativeFolderIsAllowedAndWarnedOf() {
    assertThat(plan(Map.of("quorum.data-dir", "data")).warnings())
        .singleElement()
        .asString()
        .contains("relative to the working folder");
  }

  @Test
  void selfMustBeOneOfTheMembers() {
    assertThat(refusal(Map.of("quorum.self", "x")))
        .startsWith("quorum.self is 'x', which is none of the members a, b, c; name the one");
    assertThat(refusal(Map.of("quorum.self", ""))).isEqualTo("quorum.self is missing; set it");
  }

  @Test
  void theFolderMustBeNamed() {
    assertThat(refusal(Map.of("quorum.data-dir", "")))
        .isEqualTo("quorum.data-dir is missing; set it");
    assertThat(refusal(Map.of("quorum.data-dir", "a\0b"))).contains("is no path of a folder");
  }

  @ParameterizedTest
  @CsvSource({
    "quorum.members.a, 10.0.0.7, write host:port",
    "quorum.members.a, 10.0.0.7:0, it must be from 1 to 65535",
    "quorum.members.a, 10.0.0.700:7400, neither a name nor an address",
    "quorum.members.a, 0.0.0.0:7400, no address at which others can reach a member",
    "quorum.members.a, [::]:7400, put this one into listen",
    "quorum.listen, 7400, write host:port",
    "quorum.listen, 0.0.0.0:0, it must be from 1 to 65535"
  })
  void anAddressThatCannotBeRightIsRefused(String key, String address, String problem) {
    assertThat(refusal(Map.of(key, address))).startsWith(key + " ").contains(problem);
  }

  @Test
  void twoMembersCannotHaveOneAddress() {
    assertThat(refusal(Map.of("quorum.members.c", "10.0.0.7:7400")))
        .contains("has the address 10.0.0.7:7400, and so has ")
        .contains("one process can't be two members");
    assertThat(
            refusal(Map.of("quorum.members.a", "[fd00:0::7]:1", "quorum.members.c", "[fd00::7]:1")))
        .contains("and so has");
  }

  @Test
  void anIdHasAtMost32Characters() {
    String id = "i".repeat(32);
    assertThat(plan(Map.of("quorum.members." + id, "10.0.0.1:1")).members()).hasSize(4);

    assertThat(refusal(Map.of("quorum.members.x" + id, "10.0.0.1:1")))
        .contains("has 33 characters; an id must have at most 32");
  }

  @Test
  void withoutSecretAndTlsAllMustBeOnThisMachine() {
    Map<String, String> local = new HashMap<>();
    local.put("quorum.secret", "");
    local.put("quorum.members.a", "127.0.0.1:1");
    local.put("quorum.members.b", "[::1]:2");
    local.put("quorum.members.c", "localhost:3");
    assertThat(plan(local).describe()).contains("no secret");

    local.put("quorum.listen", "0.0.0.0:2");
    assertThat(refusal(local))
        .startsWith("quorum.secret-file is missing: without a secret and without TLS")
        .contains("whoever reaches 0.0.0.0:2 could vote")
        .contains("or set tls");

    local.put("quorum.listen", "localhost:2");
    local.put("quorum.members.c", "10.0.0.9:7400");
    assertThat(refusal(local)).contains("whoever reaches 10.0.0.9:7400 could vote");
  }

  @Test
  void aSecretMustNotBeGuessable() {
    assertThat(plan(Map.of("quorum.secret", "s".repeat(16))).trust().secrets()).hasSize(1);

    assertThat(refusal(Map.of("quorum.secret", "s".repeat(15))))
        .startsWith("quorum.secret has fewer than 16 characters")
        .contains("openssl rand");
    assertThat(refusal(Map.of("quorum.other-secret", "short")))
        .startsWith("quorum.other-secret has fewer than 16 characters");
  }

  @Test
  void theOtherSecretIsAnotherAndNotTheOnlyOne() {
    assertThat(refusal(Map.of("quorum.other-secret", SECRET)))
        .startsWith("quorum.other-secret is the same as secret");
    assertThat(refusal(Map.of("quorum.secret", "", "quorum.other-secret", SECRET)))
        .startsWith("quorum.other-secret is a second secret, and there is no first");
  }

  @Test
  void tlsNeedsAllItsFilesAndTheyMustBeReadable() throws IOException {
    String cert = Files.writeString(folder.resolve("cert.pem"), "x").toString();
    Map<String, String> tls =
        Map.of("quorum.secret", "", "quorum.tls.cert", cert, "quorum.tls.key", cert);

    assertThat(refusal(tls)).startsWith("quorum.tls.ca is missing; TLS needs all of cert, key");

    Map<String, String> unreadable = new HashMap<>(tls);
    unreadable.put("quorum.tls.ca", folder.resolve("none.pem").toString());
    assertThat(refusal(unreadable))
        .startsWith("quorum.tls.ca names a file that can't be read: " + folder)
        .contains("none.pem");
    unreadable.put("quorum.tls.ca", folder.toString());
    assertThat(refusal(unreadable)).startsWith("quorum.tls.ca names a file that can't be read");

    Map<String, String> whole = new HashMap<>(tls);
    whole.put("quorum.tls.ca", cert);
    assertThat(plan(whole).trust().tls())
        .isEqualTo(new TlsFiles(Path.of(cert), Path.of(cert), Path.of(cert)));
    assertThat(plan(whole).describe()).contains("trusts by mutual TLS");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "renew | 4s | at most a third of lease, 3333333333ns",
        "renew | 5ms | at least 10ms",
        "election-timeout-min | 300ms | shorter than election-timeout-max, 300ms",
        "election-timeout-min | 5ms | at least 10ms",
        "election-timeout-max | 5s | twice that must be shorter than lease, 10s",
        "lease | 600ms | twice that must be shorter than lease, 600ms",
        "longest-lease | 5s | longest-lease 5s must not be shorter than lease 10s",
        "ask-timeout | 11s | ask-timeout 11s must not be longer than",
      })
  void timingsThatCannotWorkTogetherAreRefused(String key, String value, String problem) {
    assertThat(refusal(Map.of("timing." + key, value))).startsWith("timing.").contains(problem);
  }

  @Test
  void heartbeatsFollowTheLeaseUnlessTheyAreSet() {
    assertThat(plan(Map.of("timing.lease", "2s")).timing().renew())
        .isEqualTo(Duration.ofMillis(200));
    assertThat(plan(Map.of("timing.lease", "3s", "timing.renew", "1s")).timing().renew())
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void allProblemsAreToldAtOnce() {
    assertThat(
            refusals(
                Map.of(
                    "timing.renew", "9s",
                    "timing.election-timeout-min", "1s",
                    "quorum.members.a", "nowhere",
                    "quorum.listen", "x",
                    "quorum.self", "z",
                    "quorum.secret", "short",
                    "quorum.tls.cert", "/no/such/file",
                    "quorum.data-dir", "")))
        .hasSize(10);
  }
}
