package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.line.Access;
import io.portcullis.backend.postgres.line.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FencePlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One fence in Postgres, its settings found to be right.
 *
 * @param access where epochs are installed, and as whom
 * @param match which databases of the application's are fenced
 * @param table where the row is
 * @param scope the row's key
 * @param patience how long work under older epochs may go on
 */
record PostgresFencePlan(
    Access access, FenceMatch match, TableName table, String scope, Duration patience)
    implements FencePlan {

  @Override
  public String describe() {
    return "Postgres at " + access + ", table " + table + ", scope " + scope;
  }

  @Override
  public String database() {
    return access.toString();
  }

  @Override
  public List<String> setUp() {
    return FenceSetUp.statements(table, access);
  }

  @Override
  public boolean covers(String host, int port, String database) {
    return match.covers(host, port, database);
  }

  @Override
  public boolean isHome(String host, int port, String database) {
    return access.url().database().equals(database)
        && access.url().hosts().contains(host.toLowerCase(Locale.ROOT) + ":" + port);
  }

  @Override
  public EpochFence open(String node) {
    return new PostgresFence(this, node);
  }

  @Override
  public EpochFence open(String node, String host, int port, String database) {
    return new PostgresFence(
        new PostgresFencePlan(access.at(host, port, database), match, table, scope, patience),
        node);
  }
}
