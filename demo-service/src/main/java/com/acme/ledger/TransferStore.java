package com.acme.ledger;

import java.util.List;

/** Where transfers are kept. Every method throws {@link StoreException} if the store fails. */
interface TransferStore extends AutoCloseable {

  /** Stores a transfer after all others; on return it survives a crash. */
  void append(Transfer transfer);

  /** The transfers that follow the first {@code skipped}, at most {@code limit}. */
  List<Transfer> after(long skipped, int limit);

  /** How many transfers are stored. */
  long count();

  @Override
  void close();
}
