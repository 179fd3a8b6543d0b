package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FencePlan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

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
    PostgresAccess access,
    FencedDatabaseMatcher match,
    TableName table,
    String scope,
    Duration patience)
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
    return FenceDdl.statements(table, access);
  }

  @Override
  public List<String> warnings() {
    return match.coversAnyHost()
        ? List.of(
            "match "
                + match.text()
                + " has * in its host, so the installer's role logs in at every host that the"
                + " application connects to and that the pattern covers. Name the hosts instead")
        : List.of();
  }

  @Override
  public boolean covers(InetSocketAddress server, String database) {
    return match.covers(server, database);
  }

  @Override
  public boolean isHome(InetSocketAddress server, String database) {
    return match.isHome(server, database);
  }

  @Override
  public EpochFence open(String node) {
    return new PostgresFence(this, node);
  }

  @Override
  public EpochFence open(String node, String host, int port, String database) {
    PostgresAccess there = access.at(host, port, database);
    PostgresAccess guarded =
        match.namesServer(host, port) ? there : there.withoutWeakLogins(!match.coversAnyHost());
    return new PostgresFence(new PostgresFencePlan(guarded, match, table, scope, patience), node);
  }
}
