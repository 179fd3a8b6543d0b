package com.acme.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

/** The ledger: takes transfers in and shows them in the order in which they were stored. */
public final class Ledger {
  private final TransferStore store;
  private final String writer;

  /** A ledger that signs what it appends as {@code writer}. */
  public Ledger(TransferStore store, String writer) {
    this.store = Objects.requireNonNull(store);
    this.writer = Objects.requireNonNull(writer);
  }

  /**
   * Stores one transfer and returns it as stored.
   *
   * @throws IllegalStateException if the ledger takes no transfers now; nothing was stored
   * @throws StoreException if the store failed; the transfer may have been stored
   */
  public Transfer append(String id, String from, String to, long amount) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Transfer transfer = new Transfer(id, from, to, amount, writer, now);
    store.append(transfer);
    return transfer;
  }

  /** The newest transfers, at most {@code limit}, newest last. */
  public List<Transfer> newest(int limit) {
    return store.after(Math.max(0, store.count() - limit), limit);
  }

  /** The transfers that follow the first {@code skipped}, at most {@code limit}, newest last. */
  public List<Transfer> after(long skipped, int limit) {
    return store.after(skipped, limit);
  }

  /** How many transfers are stored. */
  public long count() {
    return store.count();
  }

  /** Who signs what is appended here. */
  public String writer() {
    return writer;
  }
}
