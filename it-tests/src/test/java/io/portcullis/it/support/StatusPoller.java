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
 * Polls nodes continuously through every interface: the JSON behind the status page, JMX and the
 * command line.
 */
public final class StatusPoller implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = 5_000_000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * What the page shows, and how many milliseconds ago it was requested; empty if the page marks it
   * as outdated.
   */
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

  /** Polls nodes whose MBeans are registered. */
  public static StatusPoller over(AdminCli operator, List<ServiceJvm> nodes) {
    StatusPoller poller = new StatusPoller();
    for (ServiceJvm node : nodes) {
      poller.threads.start("page", () -> poller.follow(node, () -> poller.page(node)));
      poller.threads.start("jmx", () -> poller.byJmx(node));
    }
    poller.threads.start("command-line", () -> poller.byCommandLine(operator, nodes));
    return poller;
  }

  /** Additionally polls the page of one node in a browser. */
  public void watch(Browser browser, ServiceJvm node) {
    browser.show(node.agentUrl() + "/", 1200);
    threads.start("browser", () -> follow(node, () -> browser(browser, node)));
  }

  /** Observations of the page's JSON. */
  public List<StatusObservation> page() {
    return List.copyOf(byPage);
  }

  /** Observations of all other interfaces. */
  public List<StatusObservation> others() {
    return List.copyOf(otherwise);
  }

  /** Waits for a command that starts from now on. */
  public void awaitCommandLine() {
    int before = commands.get();
    Awaitility.await("command line").atMost(TIMEOUT).until(() -> commands.get() >= before + 2);
  }

  /** Waits until the browser shows data requested from now on. */
  public void awaitBrowser() {
    long now = System.nanoTime();
    Awaitility.await("browser")
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
        // The node has ended; earlier observations count.
      } catch (InterruptedException e) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void page(ServiceJvm node) throws IOException, InterruptedException {
    AgentResponse reply = node.status();
    byPage.add(observation("page", reply.json(), reply.sentNanos(), reply.receivedNanos()));
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
      // Closing the connection to an ended node fails.
    }
  }

  /** Attributes are read one after the other; an observation that changes in between is dropped. */
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
        CommandResult result = operator.run("status", nodes, "--json");
        long received = System.nanoTime();
        for (JsonNode each : MAPPER.readTree(result.stdout()).path("nodes")) {
          if (each.has("status")) {
            otherwise.add(observation("command line", each.path("status"), sent, received));
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

  private static StatusObservation observation(
      String way, JsonNode status, long sent, long received) {
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
