package io.portcullis.fencing.wire;

import java.io.IOException;

/** Finds out where a line leads, by how the driver greets the server. */
interface Entrance {
  /** Tells the dialogue how the line goes on. */
  void greet(Greeting greeting) throws IOException;
}
