package io.portcullis.it.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import org.awaitility.Awaitility;

/**
 * Look at nodes in every way there is, without pause: by the JSON that the status page shows, by
 * JMX and by the command line.
 */
public final class StatusPoller implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = 5_000_000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What the page shows, and how many milliseconds ago it asked; nothing if it calls that old. */
  private static final String SHOWN =
      """
      const card = document.querySelector("[data-election=writer]");
      if (card === null || lostAt !== null) return [];
      const epoch = Array.from(card.querySelectorAll("dt")).find(e => e.innerText === "epoch");
      return [card.querySelector(".role").innerText, epoch.nextElementSibling.innerText,
          performance.now() - shownAt];
      """;

  private final Queue<StatusObservation> byPage = new ConcurrentLinkedQueue<>();
  private final Queue<StatusObservation> otherwise = new ConcurrentLinkedQueue<>();
  private final BackgroundThreads threads = new BackgroundThreads();
  private final AtomicInteger commands = new AtomicInteger();
  private volatile boolean over;

  private StatusPoller() {}

  /** Over nodes whose beans are there. */
  public static StatusPoller over(AdminCli operator, List<ServiceJvm> nodes) {
    StatusPoller onlookers = new StatusPoller();
    for (ServiceJvm node : nodes) {
      onlookers.threads.start("page", () -> onlookers.follow(node, () -> onlookers.page(node)));
      onlookers.threads.start("jmx", () -> onlookers.byJmx(node));
    }
    onlookers.threads.start("command-line", () -> onlookers.byCommandLine(operator, nodes));
    return onlookers;
  }

  /** And in a browser that shows the page of one of them. */
  public void watch(Browser browser, ServiceJvm node) {
    browser.show(node.agentUrl() + "/", 1200);
    threads.start("browser", () -> follow(node, () -> browser(browser, node)));
  }

  /** What the page's JSON showed. */
  public List<StatusObservation> page() {
    return List.copyOf(byPage);
  }

  /** What all else showed. */
  public List<StatusObservation> others() {
    return List.copyOf(otherwise);
  }

  /** Waits for a look by the command line that begins from now on; each takes its time. */
  public void awaitCommandLine() {
    int before = commands.get();
    Awaitility.await("the command line").atMost(TIMEOUT).until(() -> commands.get() >= before + 2);
  }

  /** Waits until the browser shows what it asked for from now on. */
  public void awaitBrowser() {
    long now = System.nanoTime();
    Awaitility.await("the browser")
        .atMost(TIMEOUT)
        .until(
            () ->
                otherwise.stream()
                    .anyMatch(each -> each.way().equals("browser") && each.sentNanos() - now > 0));
  }

  @Override
  public void close() {
    over = true;
    threads.joinAll();
  }

  @FunctionalInterface
  private interface Observation {
    void take() throws IOException, InterruptedException, JMException;
  }

  private void follow(ServiceJvm node, Observation look) {
    while (!over && node.isAlive()) {
      try {
        look.take();
      } catch (IOException | JMException e) {
        // A node that ends breaks off; what it has shown counts.
      } catch (InterruptedException e) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void page(ServiceJvm node) throws IOException, InterruptedException {
    AgentResponse reply = node.status();
    byPage.add(sighting("page", reply.json(), reply.sentNanos(), reply.receivedNanos()));
  }

  private void browser(Browser browser, ServiceJvm node) {
    long before = System.nanoTime();
    List<?> shown = (List<?>) browser.evaluate(SHOWN);
    long received = System.nanoTime();
    if (!shown.isEmpty() && shown.get(1) instanceof String epoch && !epoch.equals("none yet")) {
      String role = String.valueOf(shown.get(0)).replaceFirst("^\\S ", "");
      long age = (long) (((Number) shown.get(2)).doubleValue() * 1_000_000);
      otherwise.add(
          new StatusObservation(
              "browser", node.name(), role, Long.parseLong(epoch), "", before - age, received));
    }
  }

  private void byJmx(ServiceJvm node) {
    try (JmxConnection jmx = JmxConnection.to(node)) {
      follow(node, () -> jmx(node, jmx));
    } catch (IOException e) {
      // A node that has ended can't be left in good order.
    }
  }

  /** Each attribute is a look of its own, so one that changes between them is left out. */
  private void jmx(ServiceJvm node, JmxConnection jmx) throws IOException, JMException {
    long sent = System.nanoTime();
    List<Object> shown = jmx.get(JmxConnection.election(), "Role", "Epoch", "Role", "Epoch");
    long received = System.nanoTime();
    if (shown.get(0).equals(shown.get(2)) && shown.get(1).equals(shown.get(3))) {
      String role = String.valueOf(shown.get(0));
      long epoch = (Long) shown.get(1);
      otherwise.add(new StatusObservation("jmx", node.name(), role, epoch, "", sent, received));
    }
  }

  private void byCommandLine(AdminCli operator, List<ServiceJvm> nodes) {
    while (!over) {
      try {
        long sent = System.nanoTime();
        CommandResult said = operator.run("status", nodes, "--json");
        long received = System.nanoTime();
        for (JsonNode each : MAPPER.readTree(said.stdout()).path("nodes")) {
          if (each.has("status")) {
            otherwise.add(sighting("command line", each.path("status"), sent, received));
          }
        }
        commands.incrementAndGet();
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static StatusObservation sighting(String way, JsonNode status, long sent, long received) {
    JsonNode election = status.path("elections").path("writer");
    return new StatusObservation(
        way,
        LeadershipLog.nodeId(status.path("node").asText()),
        election.path("role").asText(),
        election.path("epoch").asLong(),
        election.path("since").asText(),
        sent,
        received);
  }
}
