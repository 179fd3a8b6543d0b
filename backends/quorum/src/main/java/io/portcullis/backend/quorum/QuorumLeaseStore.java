package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.network.NetworkStats;
import io.portcullis.backend.quorum.network.RejectReason;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.EpochLimit;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.MemberDirectory;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import io.portcullis.election.store.StoreFeatures.StoreCounters;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A lease store that grants a lease when a majority of the members promises it. It meets the whole
 * contract of {@link LeaseStore} except for one point: it does not compare the record whose expiry
 * a claim has waited for, because the voters' own promises are a stronger condition.
 */
final class QuorumLeaseStore
    implements LeaseStore,
        HintSource,
        StoreCounters,
        StoreDiagnostics,
        EpochLimit,
        MemberDirectory {
  private final QuorumNode node;

  QuorumLeaseStore(QuorumNode node) {
    this.node = node;
    node.start();
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    return node.ask(request);
  }

  @Override
  public void onHint(Runnable wake) {
    node.onHint(wake);
  }

  @Override
  public Map<String, Long> counts() {
    NetworkStats stats = node.traffic();
    if (stats == null) {
      return Map.of();
    }
    Map<String, Long> counts = new TreeMap<>();
    counts.put("messages_sent", stats.framesSent());
    counts.put("messages_received", stats.framesReceived());
    counts.put("messages_dropped", stats.droppedSends());
    counts.put("links_fallen_silent", stats.silentLinks());
    counts.put("bytes_sent", stats.bytesSent());
    counts.put("bytes_received", stats.bytesReceived());
    for (RejectReason reason : RejectReason.values()) {
      counts.put("refused_" + reason.name().toLowerCase(Locale.ROOT), stats.refused(reason));
    }
    return Map.copyOf(counts);
  }

  @Override
  public @Nullable String degradedReason() {
    String notVotingReason = node.notVotingReason();
    return notVotingReason == null ? null : "this member does not vote: " + notVotingReason;
  }

  @Override
  public long highestEpochToFollow() {
    return node.highestEpochToFollow();
  }

  @Override
  public @Nullable String outage() {
    return node.outage();
  }

  @Override
  public List<MemberInfo> members() {
    return node.members();
  }

  @Override
  public @Nullable String objectionTo(String member) {
    Map<String, String> objections = node.succession().objections();
    if (member.equals(node.id())) {
      return "that is this node itself";
    }
    if (objections.isEmpty()) {
      return "this member does not lead";
    }
    String objection = objections.get(member);
    if (objection == null) {
      return "there is no such member; the others are "
          + String.join(", ", new TreeSet<>(objections.keySet()));
    }
    return objection.isEmpty() ? null : objection;
  }

  @Override
  public @Nullable PreferredNode preferred() {
    return node.succession().preferred();
  }

  @Override
  public void close() {
    node.close();
  }
}
