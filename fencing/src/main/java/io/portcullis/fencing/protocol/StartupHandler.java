package io.portcullis.fencing.protocol;

import java.io.IOException;

/** Finds out where a line leads, by how the driver greets the server. */
interface StartupHandler {
  /** Tells the dialogue how the line goes on. */
  void greet(StartupMessage greeting) throws IOException;
}
