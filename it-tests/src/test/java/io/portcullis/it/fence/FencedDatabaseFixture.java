package io.portcullis.it.fence;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A bank's database that records evidence for safety checks: each transfer with the epoch that its
 * writer held, and with the server's commit time.
 */
public final class FencedDatabaseFixture {
  public static final Duration TIMEOUT = Duration.ofMinutes(2);

  public static final Duration LEASE = Duration.ofMillis(1500);
  private static final long BALANCE = 1000;

  private final PostgresServer postgres;
  private final RedisServer redis;
  private final String url;
  private final String installer;

  private FencedDatabaseFixture(
      PostgresServer postgres, RedisServer redis, String url, String installer) {
    this.postgres = postgres;
    this.redis = redis;
    this.url = url;
    this.installer = installer;
  }

  public static FencedDatabaseFixture open(TestEnvironment stage) {
    PostgresServer postgres = stage.postgres("track_commit_timestamp=on");
    FencedDatabaseFixture vault =
        new FencedDatabaseFixture(postgres, stage.redis(), postgres.url(), postgres.user());
    List.of(
            "create table accounts (id int primary key, balance bigint not null)",
            "insert into accounts select id, %d from generate_series(0, %d) id"
                .formatted(BALANCE, TransferService.ACCOUNTS - 1),
            "create table transfers (seq bigserial primary key, source int, target int,"
                + " writer text, epoch bigint)",
            "create table entries (seq bigserial primary key, writer text, epoch bigint)",
            "create table signals (called boolean)",
            "create database ledger",
            "insert into signals values (false)")
        .forEach(vault.postgres::execute);
    return vault;
  }

  /** Returns this fixture with service and agent connecting through a proxy of their own. */
  FencedDatabaseFixture through(TcpProxy proxy) {
    String address = postgres.host() + ":" + postgres.port();
    return new FencedDatabaseFixture(
        postgres, redis, url.replace(address, proxy.host() + ":" + proxy.port()), installer);
  }

  /** Returns this fixture with an installer role that may terminate only its own sessions. */
  FencedDatabaseFixture withUnprivilegedInstaller() {
    postgres.execute("create role installer login");
    postgres.execute("grant create on database postgres to installer");
    return new FencedDatabaseFixture(postgres, redis, url, "installer");
  }

  PostgresServer postgres() {
    return postgres;
  }

  RedisServer redis() {
    return redis;
  }

  public AgentConf unfenced() {
    return withRules(AgentConf.redis(redis.uri(), LEASE));
  }

  /** Keeps the election in the same database, which grants a long lease at once. */
  AgentConf unfencedOnPostgres(Duration lease) {
    return withRules(AgentConf.postgres(postgres.url(), postgres.user(), lease));
  }

  private static AgentConf withRules(AgentConf conf) {
    return conf.rule(
            "{ id = transfer, match = \"io.portcullis.it.fence.TransferService#transfer(..)\" }")
        .rule("{ id = enter, match = \"io.portcullis.it.fence.TransferService#enter()\" }")
        .set("service", "bank");
  }

  /** Configuration of the demo service with a database of its own. */
  AgentConf ledger() {
    return AgentConf.ledger(redis.uri(), LEASE);
  }

  AgentConf fenced() {
    return fenced(unfenced());
  }

  AgentConf fenced(AgentConf conf) {
    return conf.set("fences", "[ { id = main, " + access() + ", wait = 200ms } ]");
  }

  /** URL and user of the fence. */
  String access() {
    return "url = \"" + url + "\", user = \"" + installer + "\"";
  }

  public ServiceJvm start(TestEnvironment stage, String name, AgentConf conf) throws IOException {
    return stage.start(name, launch(TransferService.class, name, conf, false));
  }

  /**
   * Starts a service with a thread that enters a gated call once, and waits inside it until {@link
   * #releaseSleeper}.
   */
  public ServiceJvm startWithSleeper(TestEnvironment stage, String name, AgentConf conf)
      throws IOException {
    return stage.start(name, launch(TransferService.class, name, conf, true));
  }

  /** Starts a service whose JDBC driver is loaded unwoven. */
  ServiceJvm startWithLateDriver(TestEnvironment stage, String name, AgentConf conf)
      throws IOException {
    String rule =
        "{ id = kin, match = \"io.portcullis.it.fence.LateDriverTransferService$GatedType+#*(..)\" }";
    return stage.start(name, launch(LateDriverTransferService.class, name, conf.rule(rule), false));
  }

  private JvmLauncher launch(Class<?> bank, String name, AgentConf conf, boolean sleeper) {
    return JvmLauncher.application(bank.getName(), Artifacts.jobs())
        .argument(url)
        .argument(postgres.user())
        .argument(name)
        .argument(Boolean.toString(sleeper))
        .env("PORTCULLIS__node__id", name)
        .conf(conf);
  }

  /** Lets the thread that waits inside a call write. */
  public void releaseSleeper() {
    postgres.execute("update signals set called = true");
  }

  public long transfersBy(String writer) {
    return number("select count(*) from transfers where writer = '" + writer + "'");
  }

  long transfersNotBy(String writer) {
    return number("select count(*) from transfers where writer <> '" + writer + "'");
  }

  public void awaitTransfersBy(String writer) {
    long before = transfersBy(writer);
    Awaitility.await("transfers by " + writer)
        .atMost(TIMEOUT)
        .until(() -> transfersBy(writer) > before);
  }

  /** Transfers that were committed after one of a higher epoch; must be empty. */
  List<String> staleTransfers() {
    return rows(
        """
        select seq || ': ' || writer || ' under ' || epoch || ' after ' || highest
        from (select seq, writer, epoch,
                max(epoch) over (order by pg_xact_commit_timestamp(xmin), epoch
                  rows between unbounded preceding and 1 preceding) as highest
              from transfers) ordered
        where epoch < highest
        """);
  }

  long totalBalance() {
    return number("select sum(balance) from accounts");
  }

  static long initialTotalBalance() {
    return BALANCE * TransferService.ACCOUNTS;
  }

  /** Accounts whose balance differs from the sum of their transfers. */
  List<String> inconsistentAccounts() {
    return rows(
        """
        select id || ': ' || balance from accounts a
        where balance <> %d
          - (select count(*) from transfers t where t.source = a.id)
          + (select count(*) from transfers t where t.target = a.id)
        """
            .formatted(BALANCE));
  }

  public List<String> entries() {
    return rows("select writer || ' ' || epoch from entries");
  }

  private long number(String query) {
    return Long.parseLong(postgres.query(query));
  }

  private List<String> rows(String query) {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(found.getString(1));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    }
  }
}
