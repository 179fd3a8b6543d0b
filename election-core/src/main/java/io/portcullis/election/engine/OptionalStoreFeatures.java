package io.portcullis.election.engine;

import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import io.portcullis.election.store.StoreFeatures.GrantDelaySource;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.LeadershipObserver;
import io.portcullis.election.store.StoreFeatures.MemberDirectory;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.election.store.StoreFeatures.RecordPushSource;
import io.portcullis.election.store.StoreFeatures.StoreCounters;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the optional features of a store. A store that lacks a feature, or whose feature fails, is
 * still usable: calls then have no effect and return nothing. Thread-safe.
 */
final class OptionalStoreFeatures {
  private static final Logger LOG = LoggerFactory.getLogger(OptionalStoreFeatures.class);

  private final LeaseStore store;
  private final String election;
  private final LogSuffix logSuffix;

  OptionalStoreFeatures(LeaseStore store, String election, LogSuffix logSuffix) {
    this.store = store;
    this.election = election;
    this.logSuffix = logSuffix;
  }

  /** Registers for hints and for pushed records; both only save time. */
  void listen(Runnable onHint, Consumer<LeaseRecord> onRecord) {
    try {
      HintSource hints = store.feature(HintSource.class);
      if (hints != null) {
        hints.onHint(onHint);
      }
      RecordPushSource pushes = store.feature(RecordPushSource.class);
      if (pushes != null) {
        pushes.onRecordPushed(onRecord);
      }
    } catch (RuntimeException e) {
      LOG.warn("election={} receives no hints from its store{}", election, logSuffix, e);
    }
  }

  void leadershipChanged(boolean leads) {
    try {
      LeadershipObserver observer = store.feature(LeadershipObserver.class);
      if (observer != null) {
        observer.leadershipChanged(leads);
      }
    } catch (RuntimeException | LinkageError | AssertionError e) {
      LOG.warn("election={} could not publish its role{}", election, logSuffix, e);
    }
  }

  List<MemberInfo> members() {
    return Objects.requireNonNullElse(
        read(MemberDirectory.class, MemberDirectory::members), List.of());
  }

  Map<String, Long> counts() {
    return Objects.requireNonNullElse(read(StoreCounters.class, StoreCounters::counts), Map.of());
  }

  @Nullable String degradedReason() {
    return read(StoreDiagnostics.class, StoreDiagnostics::degradedReason);
  }

  @Nullable String outage() {
    return read(StoreDiagnostics.class, StoreDiagnostics::outage);
  }

  @Nullable GrantDelay grantDelay() {
    return read(GrantDelaySource.class, GrantDelaySource::grantDelay);
  }

  private <F, T> @Nullable T read(Class<F> type, Function<F, @Nullable T> report) {
    try {
      F feature = store.feature(type);
      return feature == null ? null : report.apply(feature);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      return null;
    }
  }
}
