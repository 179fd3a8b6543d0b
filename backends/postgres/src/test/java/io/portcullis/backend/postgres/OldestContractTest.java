package io.portcullis.backend.postgres;

import io.portcullis.election.contract.Place;

/** The same on the oldest server that is supported. */
class OldestContractTest extends PostgresContractTest {
  @Override
  protected Place freshPlace() {
    return Site.on(OldestPostgres.server());
  }
}
