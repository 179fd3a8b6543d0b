package io.portcullis.benchmarks.quorum;

import io.portcullis.backend.quorum.QuorumBackend;
import io.portcullis.election.NodeIdentity;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.ReferenceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** All members of one election, in this JVM, each with its own port and folder. */
final class BenchmarkCluster implements AutoCloseable {
  private static final String SERVICE = "benchmark";
  private static final String ELECTION = "writer";
  private static final String SECRET = "shared by all members of the benchmark";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> ids = new ArrayList<>();
  private final List<StorePlan> plans = new ArrayList<>();
  private final List<BenchmarkMember> members = new ArrayList<>();
  private boolean closed;

  BenchmarkCluster(int size, Path folder, Map<String, String> timing) {
    Map<String, String> common = new HashMap<>(timing);
    for (int port : Ports.free(size)) {
      String id = String.format(Locale.ROOT, "m%02d", ids.size());
      ids.add(id);
      common.put("quorum.members." + id, "127.0.0.1:" + port);
    }
    common.put("quorum.secret", SECRET);
    for (String id : ids) {
      Map<String, String> own = new HashMap<>(common);
      own.put("quorum.self", id);
      own.put("quorum.data-dir", folder.resolve(id).toString());
      plans.add(plan(own));
    }
  }

  private static StorePlan plan(Map<String, String> changes) {
    ReferenceSettings settings;
    StorePlan plan;
    try {
      settings = ReferenceSettings.of(QuorumBackend.class, changes);
      plan = new QuorumBackend().plan(SERVICE, ELECTION, settings);
    } catch (AssertionError | IllegalArgumentException e) { // Unknown key or invalid value.
      throw new MeasurementException("The timing was not understood: " + e.getMessage());
    }
    if (plan == null) {
      throw new MeasurementException(String.join("\n", settings.refusals()));
    }
    return plan;
  }

  /** Starts all members, one directly after the other. */
  synchronized void start() {
    if (closed) {
      throw new MeasurementException("It was ended.");
    }
    for (int i = 0; i < plans.size(); i++) {
      members.add(BenchmarkMember.start(plans.get(i), config(ids.get(i), plans.get(i))));
    }
  }

  private static ElectionConfig config(String id, StorePlan plan) {
    return new ElectionConfig(
        SERVICE, ELECTION, NodeIdentity.unique(id), "http://" + id + ":8080", plan.timing());
  }

  List<BenchmarkMember> members() {
    return members;
  }

  Duration lease() {
    return plans.get(0).timing().lease();
  }

  Duration renew() {
    return plans.get(0).timing().renew();
  }

  /** Waits until another member's gate is open. */
  BenchmarkMember awaitLeaderBeside(Optional<BenchmarkMember> leaving) {
    Pause.until(() -> leader(leaving).isPresent(), PATIENCE, "No gate was opened");
    return leader(leaving)
        .orElseThrow(() -> new MeasurementException("A gate shut as soon as it was open."));
  }

  private Optional<BenchmarkMember> leader(Optional<BenchmarkMember> leaving) {
    for (BenchmarkMember member : members) {
      if (member.election().isLeader() && !leaving.equals(Optional.of(member))) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }

  /** Waits until all members know this one as their leader. */
  void awaitAllKnow(BenchmarkMember leader) {
    Optional<String> identity = Optional.of(leader.election().config().identity());
    BooleanSupplier known =
        () ->
            members.stream().allMatch(member -> member.election().leader().equals(identity))
                || !leader.election().isLeader();
    Pause.until(known, PATIENCE, "Not all members came to know who leads");
    if (!leader.election().isLeader()) {
      throw new MeasurementException("The first leader did not last; is the machine too busy?");
    }
  }

  /** Returns the one member whose gate is open. */
  BenchmarkMember soleLeader() {
    List<BenchmarkMember> leading = members.stream().filter(m -> m.election().isLeader()).toList();
    if (leading.size() != 1) {
      throw new MeasurementException(leading.size() + " gates are open; is the machine too busy?");
    }
    return leading.get(0);
  }

  /** Stops all members at once, so that none is elected only to stop as well. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<Thread> ending =
        members.stream()
            .map(BenchmarkMember::election)
            .map(election -> new Thread(election::close, "ending"))
            .toList();
    ending.forEach(Thread::start);
    for (Thread thread : ending) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
