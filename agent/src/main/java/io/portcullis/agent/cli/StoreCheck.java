package io.portcullis.agent.cli;

import io.portcullis.agent.config.ElectionSection;
import io.portcullis.election.NodeIdentity;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import io.portcullis.election.store.StoreFeatures.GrantDelaySource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the store of an election who holds the lease, as a program that takes no part in it. */
final class StoreCheck {
  /** In a new JVM the first request may take longer than its timeout. */
  private static final int MAX_REQUESTS = 3;

  private static final Duration MAX_WAIT = Duration.ofSeconds(15);

  private StoreCheck() {}

  /**
   * The store's response.
   *
   * @param lines the response, for people
   * @param missing whether there was none
   */
  record StoreCheckResult(List<String> lines, boolean missing) {
    StoreCheckResult {
      lines = List.copyOf(lines);
    }
  }

  static StoreCheckResult ask(String service, ElectionSection election) {
    if (!election.plan().isOutsideNodes()) {
      return new StoreCheckResult(
          List.of("is not asked: the nodes themselves are its store"), false);
    }
    ElectionConfig config =
        new ElectionConfig(
            service, election.name(), NodeIdentity.unique("check"), null, election.plan().timing());
    try (LeaseStore store = election.plan().open(config)) {
      LeaseResponse response = look(store);
      for (int i = 1; i < MAX_REQUESTS && response instanceof Unknown; i++) {
        response = look(store);
      }
      if (!(response instanceof HeldByOther held)) {
        String why = response instanceof Unknown unknown ? unknown.why() : response.toString();
        return new StoreCheckResult(List.of("its store does not respond: " + why), true);
      }
      List<String> lines = new ArrayList<>();
      lines.add("its store responds: " + sentence(held.record()));
      GrantDelaySource source = store.feature(GrantDelaySource.class);
      GrantDelay delay = source == null ? null : source.grantDelay();
      if (delay != null) {
        lines.add(delay.sentence());
      }
      return new StoreCheckResult(lines, false);
    }
  }

  private static LeaseResponse look(LeaseStore store) {
    try {
      return store
          .ask(new LeaseRequest.Look())
          .toCompletableFuture()
          .get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return new Unknown(String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      return new Unknown("no response within " + MAX_WAIT.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Unknown("the command was interrupted");
    }
  }

  private static String sentence(LeaseRecord record) {
    if (record.holder().isEmpty()) {
      return "no node has held the lease yet";
    }
    String holder = record.holder() + " under epoch " + record.epoch();
    if (record.released()) {
      return "the lease was released by " + holder;
    }
    return record.remaining().isZero()
        ? "the lease of " + holder + " has ended"
        : "the lease may still be held by " + holder;
  }
}
