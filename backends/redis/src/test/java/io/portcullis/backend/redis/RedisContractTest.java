package io.portcullis.backend.redis;

import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.StoreFixture;
import io.portcullis.election.contract.StoredEpoch;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisContractTest extends BackendContract {

  @Override
  protected StoreFixture newFixture() {
    return RedisFixture.on(SharedRedis.SERVER);
  }

  @Override
  protected Duration steadyLease() {
    return RedisFixture.STEADY_LEASE;
  }

  @Override
  protected boolean carriesPriorityRequests() {
    return true;
  }

  @Override
  protected List<StoredEpoch> storedEpochs(StoreFixture place) {
    RedisFixture site = (RedisFixture) place;
    return List.of(new RecordEpoch(site), new KeyEpoch(site));
  }

  /** The field of the record. */
  private record RecordEpoch(RedisFixture site) implements StoredEpoch {
    @Override
    public String name() {
      return "field epoch";
    }

    @Override
    public boolean set(String text) {
      site.command("HSET", site.keys().record(), "epoch", text);
      return true;
    }

    @Override
    public String get() {
      return site.command("HGET", site.keys().record(), "epoch");
    }

    @Override
    public void repair() {
      set(Long.toString(System.currentTimeMillis() / 1000));
    }

    @Override
    public List<String> named() {
      return List.of("redis-cli HSET '" + site.keys().record() + "' epoch $(date +%s)");
    }
  }

  /** The key of the lease. A value that does not end in a number is another program's lock. */
  private record KeyEpoch(RedisFixture site) implements StoredEpoch {
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d+[.\\de]*\\s*");

    @Override
    public String name() {
      return "key";
    }

    @Override
    public boolean set(String text) {
      if (NUMBER.matcher(text).matches()) {
        site.command("SET", site.keys().lease(), "somebody:" + text);
        return true;
      }
      return false;
    }

    @Override
    public String get() {
      return site.command("GET", site.keys().lease());
    }

    @Override
    public void repair() {
      site.command("DEL", site.keys().lease());
    }

    @Override
    public List<String> named() {
      return List.of("redis-cli DEL '" + site.keys().lease() + "'");
    }
  }
}
