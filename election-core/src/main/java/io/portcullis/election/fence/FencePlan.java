package io.portcullis.election.fence;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** The validated settings of one fence. */
public interface FencePlan {

  /** Location of the fence, for display; contains no secret. */
  String describe();

  /** Short name of the database that the settings name; contains no secret. */
  String database();

  /** Row, key or similar of the resource that belongs to the election. */
  String scope();

  /** Warnings to log about settings that are valid but risky; they contain no secret. */
  default List<String> warnings() {
    return List.of();
  }

  /**
   * SQL statements that an administrator has to run if the fence's own role may not create the
   * objects it needs, each without its terminator. Safe to repeat; empty if nothing has to be
   * created.
   */
  default List<String> setUp() {
    return List.of();
  }

  /** How long work under older epochs may continue before it is terminated. */
  Duration writerTimeout();

  /**
   * Whether connections of the application to this database are fenced. May resolve host names of
   * the settings, and so block for a few seconds at most.
   *
   * @param server the host as passed to the driver, and the address it has connected to
   */
  boolean covers(InetSocketAddress server, String database);

  /**
   * Whether this is the database that the settings name, determined by its address. May block like
   * {@link #covers}.
   */
  boolean isHome(InetSocketAddress server, String database);

  /**
   * Opens the fence at the resource that the settings name. Returns at once.
   *
   * @param node the node's name, for display
   */
  EpochFence open(String node);

  /**
   * Opens the fence at another database that this plan {@link #covers} and that is not its
   * {@linkplain #isHome home}.
   */
  EpochFence open(String node, String host, int port, String database);
}
