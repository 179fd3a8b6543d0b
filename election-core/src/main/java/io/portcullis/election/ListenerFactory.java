package io.portcullis.election;

import io.portcullis.election.config.ElectionConfig;

/**
 * Makes an extension's listeners. Found by {@link java.util.ServiceLoader} in the extension's jar.
 */
@FunctionalInterface
public interface ListenerFactory {

  /**
   * Called once for each election in which this node takes part, before the listener hears of
   * anything, on the thread on which it will hear. If it throws, that is logged, and nobody listens
   * to this election in its name.
   *
   * @param election the election, and who this node is in it
   */
  ElectionListener listen(ElectionConfig election);
}
