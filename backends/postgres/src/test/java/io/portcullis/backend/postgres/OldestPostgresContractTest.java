package io.portcullis.backend.postgres;

import io.portcullis.election.contract.StoreFixture;

/** The same tests on the oldest supported server. */
class OldestPostgresContractTest extends PostgresContractTest {
  @Override
  protected StoreFixture newFixture() {
    return PostgresFixture.on(OldestPostgres.server());
  }
}
