package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FencePlan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Validated settings of a fence in Postgres.
 *
 * @param access address and credentials of the database in which epochs are installed
 * @param match matches the application's databases that are fenced
 * @param table the fence's table
 * @param scope key of the fence's row
 * @param writerTimeout time for transactions under older epochs to finish at a takeover
 */
record PostgresFencePlan(
    PostgresAccess access,
    FencedDatabaseMatcher match,
    TableName table,
    String scope,
    Duration writerTimeout)
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
    PostgresAccess target = access.at(host, port, database);
    PostgresAccess restricted =
        match.namesServer(host, port) ? target : target.withoutWeakLogins(!match.coversAnyHost());
    return new PostgresFence(
        new PostgresFencePlan(restricted, match, table, scope, writerTimeout), node);
  }
}
