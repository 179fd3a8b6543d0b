package io.portcullis.agent.extension;

import io.portcullis.election.ElectionListener;
import io.portcullis.election.ListenerFactory;
import io.portcullis.election.Tenure;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.ListenerDispatcher;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the extensions' listeners of one election on a dedicated thread. A listener that hangs
 * delays other extensions' listeners, but not the agent's own listeners.
 */
public final class ExtensionListenerDispatcher implements ElectionListener {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ListenerDispatcher dispatcher;
  private final List<LazyListener> listeners;

  /** Forwards the events of {@code election} to the listeners that these factories create. */
  public ExtensionListenerDispatcher(ElectionConfig election, List<ListenerFactory> factories) {
    this.dispatcher = new ListenerDispatcher("portcullis-" + election.name() + "-extensions");
    this.listeners =
        factories.stream().map(factory -> new LazyListener(factory, election)).toList();
    if (!listeners.isEmpty()) {
      dispatcher.start();
    }
  }

  @Override
  public void startedLeading(Tenure tenure) {
    dispatch(listener -> listener.startedLeading(tenure));
  }

  @Override
  public void stoppedLeading(long epoch, LossReason ending, String why) {
    dispatch(listener -> listener.stoppedLeading(epoch, ending, why));
  }

  @Override
  public void newLeader(Leader leader) {
    dispatch(listener -> listener.newLeader(leader));
  }

  /** Stops after all pending events are delivered; waits at most {@code atMost} for that. */
  public void finish(Duration atMost) {
    try {
      dispatcher.finish(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void dispatch(Consumer<ElectionListener> event) {
    for (LazyListener listener : listeners) {
      dispatcher.dispatch(() -> listener.deliver(event));
    }
  }

  /** One extension's listener, created at its first event. Used on the dispatcher's thread only. */
  private static final class LazyListener {
    private final ListenerFactory factory;
    private final ElectionConfig election;
    private @Nullable ElectionListener listener;

    LazyListener(ListenerFactory factory, ElectionConfig election) {
      this.factory = factory;
      this.election = election;
    }

    void deliver(Consumer<ElectionListener> event) {
      Thread.currentThread().setContextClassLoader(factory.getClass().getClassLoader());
      ElectionListener created = listener;
      if (created == null) {
        created = create();
        listener = created;
      }
      event.accept(created);
    }

    private ElectionListener create() {
      try {
        ElectionListener created = factory.listen(election);
        if (created != null) {
          return created;
        }
        LOG.error("portcullis election={} {} created no listener", election.name(), name());
      } catch (Throwable e) { // Third-party code: an error affects only this extension's listener.
        LOG.error("portcullis election={} {} created no listener", election.name(), name(), e);
      }
      return new ElectionListener() {};
    }

    private String name() {
      return factory.getClass().getName();
    }
  }
}
