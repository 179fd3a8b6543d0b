package io.portcullis.backend.postgres;

import io.portcullis.election.contract.BackendContract;
import io.portcullis.election.contract.StoreFixture;
import io.portcullis.election.contract.StoredEpoch;
import java.util.List;

class PostgresContractTest extends BackendContract {

  @Override
  protected StoreFixture newFixture() {
    return PostgresFixture.on(SharedPostgres.SERVER);
  }

  @Override
  protected boolean carriesPriorityRequests() {
    return true;
  }

  @Override
  protected List<StoredEpoch> storedEpochs(StoreFixture place) {
    return List.of(new ColumnEpoch((PostgresFixture) place));
  }

  /** The column of the row. */
  private record ColumnEpoch(PostgresFixture site) implements StoredEpoch {
    @Override
    public String name() {
      return "column epoch";
    }

    @Override
    public boolean set(String text) {
      if (!text.equals(asBigint(text))) {
        return false;
      }
      site.server().execute("UPDATE " + site.table() + " SET epoch = " + text);
      return true;
    }

    private static String asBigint(String text) {
      try {
        return Long.toString(Long.parseLong(text));
      } catch (NumberFormatException e) {
        return "none";
      }
    }

    @Override
    public String get() {
      return site.column("epoch");
    }

    @Override
    public void repair() {
      site.server().execute(named().get(0));
    }

    @Override
    public List<String> named() {
      return List.of(
          "UPDATE "
              + site.table().quoted()
              + " SET epoch = extract(epoch FROM clock_timestamp())::bigint WHERE scope = '"
              + site.scope()
              + "';");
    }
  }
}
