package io.portcullis.election.contract;

import static io.portcullis.election.contract.Claimant.granted;
import static io.portcullis.election.contract.Claimant.waitOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.portcullis.election.config.Timing;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests how a store handles epochs that were written into it from outside. */
public abstract class EpochContract extends HintContract {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int REPAIR_LEASE_DIVISOR = 6;
  private static final long MAX = EpochRange.MAX_EPOCH;

  /** Seed of the random values; {@code -Dportcullis.epoch.seed} repeats a run. */
  private static final long SEED = Long.getLong("portcullis.epoch.seed", new Random().nextLong());

  private static final int RANDOM_VALUES = 20;
  private static final int MAX_RANDOM_DIGITS = 40;

  private static final List<String> IMPLAUSIBLE =
      List.of(
          Long.toString(Long.MIN_VALUE),
          "-1",
          "0",
          Long.toString(MAX - 1_000_000_000),
          Long.toString(MAX - 1),
          Long.toString(MAX),
          Long.toString(MAX + 1),
          "999999999999999",
          "1000000000000000",
          Long.toString((1L << 53) - 1),
          Long.toString(1L << 53),
          Long.toString((1L << 53) + 1),
          Long.toString(Long.MAX_VALUE - 1),
          Long.toString(Long.MAX_VALUE),
          "9223372036854775808",
          "9".repeat(400),
          "1.5",
          "1e9",
          " 7",
          "7 ",
          "+7",
          "0x10",
          "NaN",
          "a number");

  /** Random texts that are not epochs which a store may accept. */
  private static List<String> randomImplausible() {
    Random random = new Random(SEED);
    List<String> values = new ArrayList<>();
    while (values.size() < RANDOM_VALUES) {
      String value = randomValue(random);
      if (!isPlausible(value)) {
        values.add(value);
      }
    }
    System.out.println("random epochs of seed " + SEED + ": " + values);
    return values;
  }

  private static String randomValue(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Long.toString(random.nextLong());
      case 1 -> digits(random);
      case 2 -> Long.toString(MAX - 1000 + random.nextInt(2001));
      default -> {
        String text = random.nextBoolean() ? digits(random) : Long.toString(random.nextInt(2000));
        List<String> marks = List.of("+", "-", " ", "\t", "\n", ".", "e", "_", "\u00b2", "\u00a0");
        String mark = marks.get(random.nextInt(marks.size()));
        int at = random.nextInt(text.length() + 1);
        yield text.substring(0, at) + mark + text.substring(at);
      }
    };
  }

  private static String digits(Random random) {
    return random
        .ints(1 + random.nextInt(MAX_RANDOM_DIGITS), 0, 10)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining());
  }

  /** Generous, since the server's clock may differ from this one. */
  private static boolean isPlausible(String value) {
    long second = System.currentTimeMillis() / 1000;
    long highest = EpochRange.highestAt(second) + TimeUnit.DAYS.toSeconds(365);
    return value.matches("[0-9]+")
        && new BigInteger(value).compareTo(BigInteger.valueOf(highest)) <= 0;
  }

  /**
   * The places where this fixture's store keeps the epoch, the record of the lease first; empty if
   * no client can write there except through the store.
   */
  protected List<StoredEpoch> storedEpochs(StoreFixture fixture) {
    return List.of();
  }

  private List<StoredEpoch> storedEpochsOrSkip(StoreFixture fixture) {
    List<StoredEpoch> all = storedEpochs(fixture);
    assumeFalse(all.isEmpty(), "no client can write epochs without this store");
    return all;
  }

  /**
   * A lease that a node keeps between two requests of a test, and whose end the test can wait for:
   * an edited record is waited out.
   */
  private Timing repairTiming() {
    return timing(steadyLease().dividedBy(REPAIR_LEASE_DIVISOR));
  }

  @Test
  void implausibleEpochIsNeitherUsedNorWritten() {
    List<String> values = new ArrayList<>(IMPLAUSIBLE);
    values.addAll(randomImplausible());
    for (int i = 0; i < storedEpochsOrSkip(fixture()).size(); i++) {
      StoreFixture fresh = newFixture();
      StoredEpoch stored = storedEpochs(fresh).get(i);
      Claimant a = keep(new Claimant(fresh, "a", repairTiming()));
      Claimant b = keep(new Claimant(fresh, "b", repairTiming()));
      Granted before = a.lead();
      a.release(before);

      int tried = 0;
      for (String value : values) {
        tried += stored.set(value) ? refuses(stored, value, before, a, b) : 0;
      }

      assertThat(tried).as(stored.name()).isGreaterThan(i == 0 ? 5 : -1);
      stored.repair();
      Granted after = leadAbove(a, before);
      assertThat(after.epoch()).as(stored.name()).isGreaterThan(before.epoch()).isLessThan(MAX);
      assertThat(granted(a.renew(after.epoch()))).isEqualTo(after);
    }
  }

  private static int refuses(
      StoredEpoch stored, String value, Granted before, Claimant a, Claimant b) {
    String kept = stored.get();
    String what = stored.name() + " '" + value + "'";
    LeaseResponse byOneThatHasSeen = a.acquire(a.claim(null, before.epoch(), before.incarnation()));
    LeaseResponse byOneThatHasNot = b.acquire(b.claim());
    LeaseResponse look = b.ask(new LeaseRequest.Look());

    for (LeaseResponse answer : List.of(byOneThatHasSeen, byOneThatHasNot, look)) {
      assertThat(answer).as(what).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).as(what).contains("can't be right").contains("Run: ");
      assertThat(((Unknown) answer).why()).as(what).contains(stored.named());
    }
    assertThat(a.renew(before.epoch())).as(what).isNotInstanceOf(Granted.class);
    assertThat(stored.get()).as(what).isEqualTo(kept);
    return 1;
  }

  /** Claims like a node that has not been restarted: it remembers what it had before. */
  private static Granted leadAbove(Claimant node, Granted before) {
    LeaseRecord seen =
        await().atMost(LONG).until(() -> node.ask(new LeaseRequest.Look()), EpochContract::isShown)
                instanceof LeaseResponse.HeldByOther held
            ? held.record()
            : LeaseRecord.none("");
    waitOut(seen);
    long highest = Math.max(before.epoch(), seen.epoch());
    return node.acquireInTheEnd(
        node.claim(seen.recordVersion(), highest, seen.recordVersion().incarnation()));
  }

  private static boolean isShown(LeaseResponse answer) {
    return answer instanceof LeaseResponse.HeldByOther;
  }

  @Test
  void electionGoesOnAfterEpochRepairWithoutRestart() throws Exception {
    for (long wrong : List.of(Long.MAX_VALUE, MAX - 1)) {
      for (StoredEpoch stored : storedEpochsOrSkip(fixture())) {
        goesOnAfterRepair(stored, wrong);
      }
    }
  }

  private void goesOnAfterRepair(StoredEpoch stored, long wrong) throws Exception {
    try (ContenderPair pair =
        ContenderPair.at(fixture(), repairTiming(), fixture(), repairTiming())) {
      long epoch = pair.epoch();
      if (!stored.set(Long.toString(wrong))) {
        return;
      }

      pair.awaitNobody();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(pair.first().status().toString()).contains(stored.named());
                assertThat(pair.second().status().toString()).contains(stored.named());
              });
      assertThat(stored.get()).contains(Long.toString(wrong));
      stored.repair();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.epoch()).as(stored.name()).isLessThan(MAX / 2);
    }
  }

  @Test
  void epochAfterLowOneIsAboveAllSeenEpochs() {
    StoredEpoch stored = storedEpochsOrSkip(fixture()).get(0);
    Claimant a = keep(new Claimant(fixture(), "a", repairTiming()));
    Granted before = a.lead();
    a.release(before);
    stored.set("1");

    assertThat(leadAbove(a, before).epoch()).isGreaterThan(before.epoch());
  }

  @Test
  void highestAcceptedEpochLeavesRoomForGrants() {
    StoredEpoch stored = storedEpochsOrSkip(fixture()).get(0);
    Claimant a = keep(new Claimant(fixture(), "a", repairTiming()));
    Granted before = a.lead();
    a.release(before);
    long high = EpochRange.highestAt(before.epoch()) - 100; // Its clock may be slightly behind.
    stored.set(Long.toString(high));

    Granted next = leadAbove(a, before);
    assertThat(next.epoch()).isEqualTo(high + 1);
    assertThat(granted(a.renew(next.epoch()))).isEqualTo(next);
    LeaseRecord released = a.release(next);
    Claimant b = claimant("b");
    assertThat(granted(b.acquire(b.claim(released.recordVersion()))).epoch()).isEqualTo(high + 2);
  }
}
