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
 * Tells extensions' listeners of one election, on one thread that does nothing else: one that hangs
 * delays the others of its kind, and nothing of the agent's own.
 */
public final class ExtensionListenerDispatcher implements ElectionListener {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ListenerDispatcher announcer;
  private final List<LazyListener> listeners;

  /** Begins to tell what it hears of {@code election} to listeners from these factories. */
  public ExtensionListenerDispatcher(ElectionConfig election, List<ListenerFactory> factories) {
    this.announcer = new ListenerDispatcher("portcullis-" + election.name() + "-extensions");
    this.listeners =
        factories.stream().map(factory -> new LazyListener(factory, election)).toList();
    if (!listeners.isEmpty()) {
      announcer.start();
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

  /** Ends after all has been told; waits for that at most so long. */
  public void finish(Duration atMost) {
    try {
      announcer.finish(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void dispatch(Consumer<ElectionListener> news) {
    for (LazyListener ear : listeners) {
      announcer.dispatch(() -> ear.deliver(news));
    }
  }

  /** One extension's listener, made when there is something to hear. On the announcer's thread. */
  private static final class LazyListener {
    private final ListenerFactory factory;
    private final ElectionConfig election;
    private @Nullable ElectionListener listener;

    LazyListener(ListenerFactory factory, ElectionConfig election) {
      this.factory = factory;
      this.election = election;
    }

    void deliver(Consumer<ElectionListener> news) {
      Thread.currentThread().setContextClassLoader(factory.getClass().getClassLoader());
      ElectionListener own = listener;
      if (own == null) {
        own = made();
        listener = own;
      }
      news.accept(own);
    }

    private ElectionListener made() {
      try {
        ElectionListener own = factory.listen(election);
        if (own != null) {
          return own;
        }
        LOG.error("portcullis election={} {} made no listener", election.name(), name());
      } catch (Throwable e) { // Somebody else's code: whatever it throws, only it hears nothing.
        LOG.error("portcullis election={} {} made no listener", election.name(), name(), e);
      }
      return new ElectionListener() {};
    }

    private String name() {
      return factory.getClass().getName();
    }
  }
}
