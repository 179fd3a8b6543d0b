package io.portcullis.backend.quorum.network;

/**
 * One member of the configured list.
 *
 * @param id its name in the list
 * @param host where the others reach it, a name or an address
 * @param port the port there
 */
public record MemberEndpoint(String id, String host, int port) {

  @Override
  public String toString() {
    return id + " at " + host + ":" + port;
  }
}
