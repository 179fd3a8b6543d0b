package io.portcullis.backend.quorum.net;

/**
 * One member of the configured list.
 *
 * @param id its name in the list
 * @param host where the others reach it, a name or an address
 * @param port the port there
 */
public record Member(String id, String host, int port) {

  @Override
  public String toString() {
    return id + " at " + host + ":" + port;
  }
}
