package io.portcullis.servers.kubernetes;

import java.io.IOException;

/** Transport for the events of a watch. */
interface EventStream {
  /** Accepts the watch. */
  void open() throws IOException;

  void send(String event) throws IOException;

  /** Reads the client's messages, and returns once it ends the watch. */
  void readToEnd() throws IOException;

  /** Signals the end of the events. */
  void finish() throws IOException;
}
