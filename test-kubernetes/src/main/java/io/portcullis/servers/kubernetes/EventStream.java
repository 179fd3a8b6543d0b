package io.portcullis.servers.kubernetes;

import java.io.IOException;

/** How the events of a watch reach its client. */
interface EventStream {
  /** Says yes to the watch. */
  void open() throws IOException;

  void send(String event) throws IOException;

  /** Reads what the client sends, and returns once it wants no more. */
  void readToEnd() throws IOException;

  /** Says that there will be no more events. */
  void finish() throws IOException;
}
