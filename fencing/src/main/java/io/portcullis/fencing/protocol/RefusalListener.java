package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;

/** Is told, on the thread that reads them, of the server's refusals. */
interface RefusalListener {
  /** The server refused a write under this epoch, by this SQLSTATE. */
  void refused(FencedDatabase site, long epoch, String state);
}
