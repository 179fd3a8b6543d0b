package com.acme.ledger;

import java.util.List;

/** Stores transfers. Every method throws {@link StoreException} if the store fails. */
interface TransferStore extends AutoCloseable {

  /** Appends a transfer; it is durable when this returns. */
  void append(Transfer transfer);

  /** Returns the transfers after the first {@code skipped}, at most {@code limit}. */
  List<Transfer> after(long skipped, int limit);

  /** Number of stored transfers. */
  long count();

  @Override
  void close();
}
