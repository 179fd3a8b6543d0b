package io.portcullis.backend.postgres;

import io.portcullis.election.contract.StoreFixture;

/** The same on the oldest server that is supported. */
class OldestPostgresContractTest extends PostgresContractTest {
  @Override
  protected StoreFixture newFixture() {
    return PostgresFixture.on(OldestPostgres.server());
  }
}
