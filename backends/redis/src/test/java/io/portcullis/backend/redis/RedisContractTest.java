package io.portcullis.backend.redis;

import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.Place;

class RedisContractTest extends BackendContract {

  @Override
  protected Place freshPlace() {
    return Site.on(SharedRedis.SERVER);
  }

  @Override
  protected boolean carriesWishes() {
    return true;
  }
}
