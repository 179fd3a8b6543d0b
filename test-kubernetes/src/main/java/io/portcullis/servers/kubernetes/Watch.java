package io.portcullis.servers.kubernetes;

import io.fabric8.mockwebserver.crud.AttributeSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One client that follows the changes of some objects. */
final class Watch {
  /** How long it may take until a watch notices that it is to end. */
  private static final long LOOK_MILLIS = 50;

  private static final long MAX_SECONDS = 3600;

  private final ObjectStore store;
  private final Faults faults;
  private final EventStream stream;
  private final AttributeSet query;
  private final long from;
  private final long dueNanos;
  private volatile boolean ended;

  Watch(ObjectStore store, Faults faults, EventStream stream, Call call) {
    this.store = store;
    this.faults = faults;
    this.stream = stream;
    this.query = store.getKey(faults.ignoresSelectors() ? call.path() : call.target());
    String version = call.parameter("resourceVersion");
    this.from = version.isEmpty() ? 0 : Long.parseLong(version);
    String seconds = call.parameter("timeoutSeconds");
    long atMost = seconds.isEmpty() ? MAX_SECONDS : Long.parseLong(seconds);
    this.dueNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(atMost);
  }

  /** Asks it to end soon. */
  void end() {
    ended = true;
  }

  /** Sends events until either side has enough. */
  void run() throws IOException, InterruptedException {
    stream.open();
    Background.run("watch-reader", this::readToEnd);
    ObjectStore.Start start = start();
    for (String event : start.events()) {
      send(event);
    }
    long version = start.version();
    while (!isOver()) {
      Map.Entry<Long, Change> next = store.awaitAfter(version, LOOK_MILLIS);
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

  private ObjectStore.Start start() {
    if (faults.expiresWatches()) {
      end();
      List<String> told = new ArrayList<>(store.startFor(query).events());
      told.add(expired());
      return new ObjectStore.Start(told, from);
    }
    if (from == 0) {
      return store.startFor(query);
    }
    if (store.remembersAllSince(from)) {
      return new ObjectStore.Start(List.of(), from);
    }
    end();
    return new ObjectStore.Start(List.of(expired()), from);
  }

  private String expired() {
    ApiErrorException gone =
        new ApiErrorException(410, "Expired", "too old resource version: " + from);
    return Change.event("ERROR", gone.status());
  }

  /** Sends an event, once watches are not silent. */
  private void send(String event) throws IOException, InterruptedException {
    for (long seen = faults.heals(); faults.silencesWatches(); seen = faults.heals()) {
      faults.awaitHealed(seen, Duration.ofMillis(LOOK_MILLIS));
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
      end(); // The client is gone without a word.
    }
    end();
  }
}
