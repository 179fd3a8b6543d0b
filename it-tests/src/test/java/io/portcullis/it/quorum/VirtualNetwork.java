package io.portcullis.it.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A separate host for each member: network namespaces that are connected by a bridge in another
 * namespace. The tests are on the same bridge and always reach all of them.
 *
 * <p>A fault drops packets silently, in one direction: the sender's neighbor entry is replaced with
 * a hardware address that no host has.
 */
final class VirtualNetwork implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String UNUSED_MAC_ADDRESS = "02:00:00:00:00:ff";
  private static final int PORT = 7400;
  private static final int TIMEOUT_SECONDS = 120;

  /** The address range for network tests: 198.18.0.0/15. */
  private static final String RANGE = "198.18.";

  private record BlockedRoute(String from, String to) {}

  private final String name = "pc" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet();
  private final Map<String, String> hosts = new TreeMap<>();
  private final Deque<String> namespaces = new ArrayDeque<>();
  private final List<BlockedRoute> cuts = new ArrayList<>();
  private final Thread remover = new Thread(this::remove);

  private VirtualNetwork() {
    Runtime.getRuntime().addShutdownHook(remover);
  }

  /** Why network namespaces cannot be created here; empty if they can. */
  static String unavailableReason() {
    try (VirtualNetwork trial = new VirtualNetwork()) {
      trial.build(List.of("a"));
      return "";
    } catch (UncheckedIOException | IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  static VirtualNetwork of(List<String> members) {
    VirtualNetwork subnet = new VirtualNetwork();
    try {
      subnet.build(members);
      return subnet;
    } catch (RuntimeException e) {
      subnet.close();
      throw e;
    }
  }

  private void build(List<String> members) {
    String prefix = RANGE + freeOctet() + ".";
    String hub = namespace("hub");
    ip("-n", hub, "link", "add", "br0", "type", "bridge");
    ip("-n", hub, "link", "set", "br0", "up");
    ip("link", "add", name, "type", "veth", "peer", "name", "tests", "netns", hub);
    plug(hub, "tests");
    ip("addr", "add", prefix + "1/24", "dev", name);
    ip("link", "set", name, "up");
    for (String member : members) {
      String host = prefix + (10 + hosts.size());
      String own = namespace(member);
      hosts.put(member, host);
      ip("-n", own, "link", "add", "eth0", "type", "veth", "peer", "name", member, "netns", hub);
      plug(hub, member);
      ip("-n", own, "addr", "add", host + "/24", "dev", "eth0");
      ip("-n", own, "link", "set", "eth0", "up");
      ip("-n", own, "link", "set", "lo", "up");
    }
  }

  private String namespace(String part) {
    String namespace = name + part;
    ip("netns", "add", namespace);
    namespaces.push(namespace);
    return namespace;
  }

  private static void plug(String hub, String port) {
    ip("-n", hub, "link", "set", "dev", port, "master", "br0");
    ip("-n", hub, "link", "set", "dev", port, "up");
  }

  private static int freeOctet() {
    String taken = ip("-o", "-4", "addr");
    int octet = 0;
    while (taken.contains(" " + RANGE + octet + ".")) {
      octet++;
    }
    return octet;
  }

  QuorumHost quorumHost(String member) {
    return new QuorumHost(host(member), PORT, List.of("ip", "netns", "exec", name + member));
  }

  private String host(String member) {
    String host = hosts.get(member);
    if (host == null) {
      throw new IllegalArgumentException("no member " + member);
    }
    return host;
  }

  /** Drops everything that one host sends to the other from now on. */
  void cut(String from, String to) {
    ip(
        "-n",
        name + from,
        "neigh",
        "replace",
        host(to),
        "lladdr",
        UNUSED_MAC_ADDRESS,
        "dev",
        "eth0",
        "nud",
        "permanent");
    cuts.add(new BlockedRoute(from, to));
  }

  /** Ends all faults. */
  void heal() {
    cuts.forEach(cut -> ip("-n", name + cut.from(), "neigh", "del", host(cut.to()), "dev", "eth0"));
    cuts.clear();
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(remover);
  }

  /** Removing the hub also removes its links. */
  private void remove() {
    while (!namespaces.isEmpty()) {
      ip("netns", "del", namespaces.pop());
    }
  }

  private static String ip(String... words) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(command + ": " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(command + " was interrupted", e);
    }
  }
}
