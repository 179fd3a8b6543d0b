package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.backend.RetryBackoff;
import io.portcullis.election.config.Backoff;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Lease for changes. After any failure it restarts: first a read, then a watch from the
 * version read. Used on the store's thread, except for incoming messages.
 */
final class LeaseWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Backoff RESTART_BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(20), 0.5);

  /** A watch that was open at least this long is restarted after the first pause. */
  private static final Duration MIN_HEALTHY_TIME = Duration.ofSeconds(5);

  private final ApiClient client;
  private final LeaseName name;
  private final LeaseCache cache;
  private final ScheduledExecutorService thread;
  private final Runnable refresh;
  private final RetryBackoff restartBackoff = new RetryBackoff(RESTART_BACKOFF);
  private @Nullable WatchConnection connection;

  /** Set if the server no longer has the events since the version of an old Lease. */
  private boolean ignoreResourceVersion;

  private volatile boolean ended;

  /**
   * Creates a watch.
   *
   * @param refresh updates the cache; runs before each restart
   */
  LeaseWatch(
      ApiClient client,
      LeaseName name,
      LeaseCache cache,
      ScheduledExecutorService thread,
      Runnable refresh) {
    this.client = client;
    this.name = name;
    this.cache = cache;
    this.thread = thread;
    this.refresh = refresh;
  }

  /** Opens the watch once the cache has a version, and restarts it if it seems dead. */
  void ensureOpen() {
    if (ended) {
      return;
    }
    if (connection == null) {
      if (cache.latest() != null) {
        open();
      }
    } else if (connection.isOpen && !connection.closed && cache.watchSeemsDead()) {
      LOG.debug("{}: the watch received no events for several writes and is restarted", name);
      end(connection, "silent");
    }
  }

  private void open() {
    WatchConnection next = new WatchConnection();
    connection = next;
    Future<?> unused =
        client
            .watch(path(), CONNECT_TIMEOUT, next)
            .whenComplete((socket, failure) -> onOpened(next, socket, failure));
  }

  /** Handles an opened connection, also after {@link #close}, when the thread is shut down. */
  private void onOpened(
      WatchConnection next, @Nullable WebSocket socket, @Nullable Throwable failure) {
    thread.execute(() -> next.opened(socket, failure));
    if (ended && socket != null) {
      socket.sendClose(1000, "");
    }
  }

  private String path() {
    LeaseCache.CachedLease from = cache.latest();
    LeaseDocument lease = from == null || ignoreResourceVersion ? null : from.lease();
    return name.collection()
        + "?fieldSelector="
        + URLEncoder.encode("metadata.name=" + name.name(), StandardCharsets.UTF_8)
        + (lease == null ? "" : "&resourceVersion=" + lease.resourceVersion())
        + "&allowWatchBookmarks=true&watch=true";
  }

  private void end(WatchConnection over, String why) {
    if (connection != over || over.closed || ended) {
      return;
    }
    over.close();
    if (over.wasHealthy()) {
      restartBackoff.reset();
    }
    LOG.debug("{}: the watch ended: {}", name, why);
    scheduleReconnect(over);
  }

  private void scheduleReconnect(WatchConnection over) {
    long pauseNanos = restartBackoff.nextPauseNanos();
    Future<?> unused = thread.schedule(() -> reconnect(over), pauseNanos, TimeUnit.NANOSECONDS);
  }

  private void reconnect(WatchConnection over) {
    if (!ended) {
      refresh.run();
      connection = null;
      ensureOpen();
      if (connection == null) {
        connection = over; // The read failed; retry later.
        scheduleReconnect(over);
      }
    }
  }

  /** Closes the watch permanently. */
  void close() {
    ended = true;
    if (connection != null) {
      connection.close();
    }
  }

  /** One connection of the watch. */
  private final class WatchConnection implements WebSocket.Listener {
    private @Nullable WebSocket socket;
    private boolean isOpen;
    private boolean closed;
    private long openedNanos;
    private volatile boolean receivedEvent;

    private void opened(@Nullable WebSocket made, @Nullable Throwable failure) {
      if (failure != null || made == null) {
        String why = failure == null ? "no connection" : ApiClient.failureText(failure);
        end(this, why);
      } else if (closed || ended) {
        made.sendClose(1000, "");
      } else {
        socket = made;
        isOpen = true;
        openedNanos = System.nanoTime();
        ignoreResourceVersion = false;
        cache.watchOpened();
      }
    }

    /** Whether the connection received events and was open long enough. */
    private boolean wasHealthy() {
      return isOpen
          && receivedEvent
          && System.nanoTime() - openedNanos >= MIN_HEALTHY_TIME.toNanos();
    }

    private void close() {
      closed = true;
      if (socket != null) {
        socket.sendClose(1000, "");
      }
    }

    @Override
    public void onMessage(WebSocket from, String text) {
      try {
        handleEvent(text);
      } finally {
        from.request();
      }
    }

    private void handleEvent(String text) {
      JsonNode event;
      try {
        event = LeaseApi.JSON.readTree(text);
      } catch (JsonProcessingException e) {
        thread.execute(() -> end(this, "a message that is not JSON"));
        return;
      }
      String type = event.path("type").asText();
      if (type.equals("ERROR")) {
        String why = event.path("object").path("message").asText();
        thread.execute(
            () -> {
              ignoreResourceVersion = true;
              end(this, why);
            });
      } else if (event.path("object") instanceof ObjectNode object && !type.equals("BOOKMARK")) {
        LeaseDocument lease = new LeaseDocument(object);
        if (!name.isOf(lease)) {
          return; // A proxy may ignore the field selector.
        }
        receivedEvent = true;
        if (type.equals("DELETED")) {
          cache.onWatchDeletion(lease, System.nanoTime());
        } else {
          cache.onWatchEvent(lease, System.nanoTime());
        }
      }
    }

    @Override
    public void onClose(WebSocket from, int code, String reason) {
      thread.execute(() -> end(this, "closed: " + code + " " + reason));
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      thread.execute(() -> end(this, ApiClient.failureText(error)));
    }
  }
}
