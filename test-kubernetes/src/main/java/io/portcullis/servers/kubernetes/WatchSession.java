package io.portcullis.servers.kubernetes;

import io.fabric8.mockwebserver.crud.AttributeSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One client's watch on some objects. */
final class WatchSession {
  /** Maximum time until a watch notices that it has to end. */
  private static final long POLL_MILLIS = 50;

  private static final long MAX_WATCH_SECONDS = 3600;

  private final ObjectStore store;
  private final ApiFaultInjector faults;
  private final EventStream stream;
  private final AttributeSet query;
  private final long from;
  private final long dueNanos;
  private volatile boolean ended;

  WatchSession(ObjectStore store, ApiFaultInjector faults, EventStream stream, ServerRequest call) {
    this.store = store;
    this.faults = faults;
    this.stream = stream;
    this.query = store.getKey(faults.ignoresSelectors() ? call.path() : call.target());
    String version = call.parameter("resourceVersion");
    this.from = version.isEmpty() ? 0 : Long.parseLong(version);
    String seconds = call.parameter("timeoutSeconds");
    long atMost = seconds.isEmpty() ? MAX_WATCH_SECONDS : Long.parseLong(seconds);
    this.dueNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(atMost);
  }

  /** Requests the end of the watch. */
  void end() {
    ended = true;
  }

  /** Sends events until either side ends the watch. */
  void run() throws IOException, InterruptedException {
    stream.open();
    DaemonThread.run("watch-reader", this::readToEnd);
    ObjectStore.WatchStart start = start();
    for (String event : start.events()) {
      send(event);
    }
    long version = start.version();
    while (!isOver()) {
      Map.Entry<Long, ObjectChange> next = store.awaitAfter(version, POLL_MILLIS);
      if (next != null) {
        version = next.getKey();
        String event = next.getValue().seenBy(query).orElse("");
        if (!event.isEmpty()) {
          send(event);
        }
      }
    }
    stream.finish();
  }

  private ObjectStore.WatchStart start() {
    if (faults.expiresWatches()) {
      end();
      List<String> told = new ArrayList<>(store.startFor(query).events());
      told.add(expired());
      return new ObjectStore.WatchStart(told, from);
    }
    if (from == 0) {
      return store.startFor(query);
    }
    if (store.remembersAllSince(from)) {
      return new ObjectStore.WatchStart(List.of(), from);
    }
    end();
    return new ObjectStore.WatchStart(List.of(expired()), from);
  }

  private String expired() {
    ApiErrorException gone =
        new ApiErrorException(410, "Expired", "too old resource version: " + from);
    return ObjectChange.event("ERROR", gone.status());
  }

  /** Sends an event as soon as watches are not silenced. */
  private void send(String event) throws IOException, InterruptedException {
    for (long seen = faults.heals(); faults.silencesWatches(); seen = faults.heals()) {
      faults.awaitHealed(seen, Duration.ofMillis(POLL_MILLIS));
      if (isOver()) {
        return;
      }
    }
    stream.send(event);
  }

  private boolean isOver() {
    return ended || dueNanos - System.nanoTime() <= 0;
  }

  private void readToEnd() {
    try {
      stream.readToEnd();
    } catch (IOException e) {
      end(); // The client disconnected.
    }
    end();
  }
}
