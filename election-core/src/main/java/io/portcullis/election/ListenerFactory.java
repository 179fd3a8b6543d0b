package io.portcullis.election;

import io.portcullis.election.config.ElectionConfig;

/**
 * Creates the listeners of an extension. Found by {@link java.util.ServiceLoader} in the
 * extension's jar.
 */
@FunctionalInterface
public interface ListenerFactory {

  /**
   * Creates the listener of one election. Called once for each election in which this node
   * participates, before the first event, on the thread that delivers the events. An exception is
   * logged, and the extension then has no listener for this election.
   *
   * @param election the election and this node's identity in it
   */
  ElectionListener listen(ElectionConfig election);
}
