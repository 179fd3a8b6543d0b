package io.portcullis.backend.postgres;

import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.Place;

class PostgresContractTest extends BackendContract {

  @Override
  protected Place freshPlace() {
    return Site.on(SharedPostgres.SERVER);
  }

  @Override
  protected boolean carriesWishes() {
    return true;
  }
}
