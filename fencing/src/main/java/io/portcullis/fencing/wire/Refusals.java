package io.portcullis.fencing.wire;

import io.portcullis.fencing.FencedSite;

/** Is told, on the thread that reads them, of the server's refusals. */
interface Refusals {
  /** The server refused a write under this epoch, by this SQLSTATE. */
  void refused(FencedSite site, long epoch, String state);
}
