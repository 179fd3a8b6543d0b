package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of changes of the Lease while they happen. Whatever ends it, it begins again: first a look,
 * then the watch from what was seen. Belongs to the store's thread, but for the messages.
 */
final class LeaseWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);

  private static final Duration OPENING = Duration.ofSeconds(5);
  private static final Duration MIN_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  /** Who lived for so long may begin again in a hurry. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(5);

  private final ApiClient client;
  private final LeaseName name;
  private final LeaseCache window;
  private final ScheduledExecutorService thread;
  private final Runnable look;
  private @Nullable Life life;
  private int failures;

  /** The server may not remember how it went on from a Lease that nobody wrote for long. */
  private boolean fromWhatIsThere;

  private volatile boolean ended;

  /**
   * @param look brings the window up to date, before each beginning
   */
  LeaseWatch(
      ApiClient client,
      LeaseName name,
      LeaseCache window,
      ScheduledExecutorService thread,
      Runnable look) {
    this.client = client;
    this.name = name;
    this.window = window;
    this.thread = thread;
    this.look = look;
  }

  /** Begins as soon as there is something to begin from, and begins anew if it seems dead. */
  void tend() {
    if (ended) {
      return;
    }
    if (life == null) {
      if (window.latest() != null) {
        open();
      }
    } else if (life.isOpen && !life.closed && window.watchSeemsDead()) {
      LOG.debug("{}: the watch is silent, and begins anew", name);
      end(life, "silent");
    }
  }

  private void open() {
    Life next = new Life();
    life = next;
    Future<?> unused =
        client
            .watch(path(), OPENING, next)
            .whenComplete((socket, failure) -> onOpened(next, socket, failure));
  }

  /** Also after the end, when the store's thread takes nothing any more. */
  private void onOpened(Life next, @Nullable WebSocket socket, @Nullable Throwable failure) {
    thread.execute(() -> next.opened(socket, failure));
    if (ended && socket != null) {
      socket.sendClose(1000, "");
    }
  }

  private String path() {
    LeaseCache.Sight from = window.latest();
    LeaseDocument lease = from == null || fromWhatIsThere ? null : from.lease();
    return name.collection()
        + "?fieldSelector="
        + URLEncoder.encode("metadata.name=" + name.name(), StandardCharsets.UTF_8)
        + (lease == null ? "" : "&resourceVersion=" + lease.resourceVersion())
        + "&allowWatchBookmarks=true&watch=true";
  }

  private void end(Life over, String why) {
    if (life != over || over.closed || ended) {
      return;
    }
    over.close();
    failures = over.livedLong() ? 0 : failures + 1;
    LOG.debug("{}: the watch ended: {}", name, why);
    beginAnewLater(over);
  }

  private void beginAnewLater(Life over) {
    long pause = Math.min(MAX_PAUSE.toMillis(), MIN_PAUSE.toMillis() << Math.min(failures, 10));
    long spread = ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
    Future<?> unused = thread.schedule(() -> beginAnew(over), spread, TimeUnit.MILLISECONDS);
  }

  private void beginAnew(Life over) {
    if (!ended) {
      look.run();
      life = null;
      tend();
      if (life == null) {
        life = over; // Nothing could be read.
        failures++;
        beginAnewLater(over);
      }
    }
  }

  /** Ends for good. */
  void close() {
    ended = true;
    if (life != null) {
      life.close();
    }
  }

  /** One connection. */
  private final class Life implements WebSocket.Listener {
    private @Nullable WebSocket socket;
    private boolean isOpen;
    private boolean closed;
    private long openedNanos;
    private volatile boolean heard;

    private void opened(@Nullable WebSocket made, @Nullable Throwable failure) {
      if (failure != null || made == null) {
        String why = failure == null ? "no connection" : ApiClient.sentence(failure);
        end(this, why);
      } else if (closed || ended) {
        made.sendClose(1000, "");
      } else {
        socket = made;
        isOpen = true;
        openedNanos = System.nanoTime();
        fromWhatIsThere = false;
        window.watchOpened();
      }
    }

    /** Had something to tell, and not only at its beginning. */
    private boolean livedLong() {
      return isOpen && heard && System.nanoTime() - openedNanos >= LONG_ENOUGH.toNanos();
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
        tell(text);
      } finally {
        from.request();
      }
    }

    private void tell(String text) {
      JsonNode event;
      try {
        event = LeaseApi.JSON.readTree(text);
      } catch (JsonProcessingException e) {
        thread.execute(() -> end(this, "a message that is no JSON"));
        return;
      }
      String type = event.path("type").asText();
      if (type.equals("ERROR")) {
        String why = event.path("object").path("message").asText();
        thread.execute(
            () -> {
              fromWhatIsThere = true;
              end(this, why);
            });
      } else if (event.path("object") instanceof ObjectNode object && !type.equals("BOOKMARK")) {
        LeaseDocument lease = new LeaseDocument(object);
        if (!name.isOf(lease)) {
          return; // Somebody on the way does not know how to select.
        }
        heard = true;
        if (type.equals("DELETED")) {
          window.heardOfDeletion(lease, System.nanoTime());
        } else {
          window.heard(lease, System.nanoTime());
        }
      }
    }

    @Override
    public void onClose(WebSocket from, int code, String reason) {
      thread.execute(() -> end(this, "closed: " + code + " " + reason));
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      thread.execute(() -> end(this, ApiClient.sentence(error)));
    }
  }
}
