package com.acme.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

/** Stores transfers and lists them in the order in which they were stored. */
public final class Ledger {
  private final TransferStore store;
  private final String writer;

  /** Creates a ledger that stores its transfers under the name {@code writer}. */
  public Ledger(TransferStore store, String writer) {
    this.store = Objects.requireNonNull(store);
    this.writer = Objects.requireNonNull(writer);
  }

  /**
   * Stores one transfer and returns it as stored.
   *
   * @throws IllegalStateException if the ledger accepts no transfers now; nothing was stored
   * @throws StoreException if the store failed; the transfer may have been stored
   */
  public Transfer append(String id, String from, String to, long amount) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Transfer transfer = new Transfer(id, from, to, amount, writer, now);
    store.append(transfer);
    return transfer;
  }

  /** Returns the newest transfers, at most {@code limit}, newest last. */
  public List<Transfer> newest(int limit) {
    return store.after(Math.max(0, store.count() - limit), limit);
  }

  /** Returns the transfers after the first {@code skipped}, at most {@code limit}, newest last. */
  public List<Transfer> after(long skipped, int limit) {
    return store.after(skipped, limit);
  }

  /** Number of stored transfers. */
  public long count() {
    return store.count();
  }

  /** The writer name of transfers stored by this ledger. */
  public String writer() {
    return writer;
  }
}
