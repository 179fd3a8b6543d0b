package io.portcullis.agent.node;

import io.portcullis.agent.node.ElectionView.ActivityView;
import io.portcullis.agent.node.ElectionView.HealthView;
import io.portcullis.agent.node.ElectionView.LeadershipView;
import io.portcullis.agent.node.ElectionView.LeaseView;
import io.portcullis.agent.node.ElectionView.StoreView;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** An election on a node whose mode is off: it does not campaign and refuses admin commands. */
public final class DisabledElection implements NodeElection {
  private final String name;
  private final String backend;
  private final boolean alone;
  private final String why;
  private final Instant since = Instant.now();

  /**
   * @param alone whether every call passes nevertheless
   * @param why why the election is disabled
   */
  public DisabledElection(String name, String backend, boolean alone, String why) {
    this.name = name;
    this.backend = backend;
    this.alone = alone;
    this.why = why;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ElectionView view() {
    return new ElectionView(
        name,
        LeadershipView.withoutLeader(RoleName.OFF, since, why),
        LeaseView.NONE,
        new StoreView(backend, true, null, List.of()),
        HealthView.unchecked(null),
        ActivityView.NONE,
        alone);
  }

  @Override
  public Optional<String> commandRefusal() {
    return Optional.of("Election '" + name + "' takes no part: " + why);
  }

  @Override
  public void stepDown(Optional<String> to) {
    refuse();
  }

  @Override
  public void drain(Duration atMost) {
    refuse();
  }

  @Override
  public void resume() {
    refuse();
  }

  private void refuse() {
    throw new IllegalStateException(commandRefusal().orElseThrow());
  }
}
