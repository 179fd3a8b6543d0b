package io.portcullis.election.fence;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** The settings of one fence, found to be right. */
public interface FencePlan {

  /** Where the fence is, for people; holds no secret. */
  String describe();

  /** The database that the settings name, as short as can be; holds no secret. */
  String database();

  /** Which row, key or the like of the resource belongs to the election. */
  String scope();

  /** Sentences about what is allowed and yet worth a line in the log; they hold no secret. */
  default List<String> warnings() {
    return List.of();
  }

  /**
   * What an administrator has to run where the fence's own role may not make what it needs, each
   * statement without its end. May be run again; empty if nothing has to be made.
   */
  default List<String> setUp() {
    return List.of();
  }

  /** How long work under older epochs may go on before it is ended. */
  Duration patience();

  /**
   * Whether connections of the application to this database are to be fenced. May look up names of
   * the settings, and so wait for a few seconds at most.
   *
   * @param server the host as the driver was given it, and the address that it has connected to
   */
  boolean covers(InetSocketAddress server, String database);

  /**
   * Whether this is the database that the settings name, judged by its address. May wait like
   * {@link #covers}.
   */
  boolean isHome(InetSocketAddress server, String database);

  /**
   * Opens the way to the resource that the settings name. Returns at once.
   *
   * @param node for people: who asks
   */
  EpochFence open(String node);

  /**
   * The same for another database that it {@link #covers} and that is not its {@linkplain #isHome
   * home}.
   */
  EpochFence open(String node, String host, int port, String database);
}
