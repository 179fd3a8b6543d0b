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
 * The database of a bank, with the witness in it: each transfer with the epoch that its writer
 * believed in, and with the moment at which it was committed by the server's own account.
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

  /** The same, which service and agent reach by a way of their own. */
  FencedDatabaseFixture through(TcpProxy proxy) {
    String address = postgres.host() + ":" + postgres.port();
    return new FencedDatabaseFixture(
        postgres, redis, url.replace(address, proxy.host() + ":" + proxy.port()), installer);
  }

  /** The same, whose installer may end nobody's session but its own. */
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

  /** With the election in the bank's own database, which grants a long lease at once. */
  AgentConf unfencedOnPostgres(Duration lease) {
    return withRules(AgentConf.postgres(postgres.url(), postgres.user(), lease));
  }

  private static AgentConf withRules(AgentConf conf) {
    return conf.rule(
            "{ id = transfer, match = \"io.portcullis.it.fence.TransferService#transfer(..)\" }")
        .rule("{ id = enter, match = \"io.portcullis.it.fence.TransferService#enter()\" }")
        .set("service", "bank");
  }

  /** For the demo service, on a database of its own. */
  AgentConf ledger() {
    return AgentConf.ledger(redis.uri(), LEASE);
  }

  AgentConf fenced() {
    return fenced(unfenced());
  }

  AgentConf fenced(AgentConf conf) {
    return conf.set("fences", "[ { id = main, " + access() + ", wait = 200ms } ]");
  }

  /** Where the fence is and as whom to speak to it. */
  String access() {
    return "url = \"" + url + "\", user = \"" + installer + "\"";
  }

  public ServiceJvm start(TestEnvironment stage, String name, AgentConf conf) throws IOException {
    return stage.start(name, launch(TransferService.class, name, conf, false));
  }

  /**
   * With a thread that enters a gated call once, and sleeps there until {@link #releaseSleeper}.
   */
  public ServiceJvm startWithSleeper(TestEnvironment stage, String name, AgentConf conf)
      throws IOException {
    return stage.start(name, launch(TransferService.class, name, conf, true));
  }

  /** Whose driver is loaded unwoven. */
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

  /** Lets whoever sleeps inside a call write. */
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

  /** Transfers that were committed after one of a higher epoch: there must be none. */
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

  /** Accounts whose balance is not what the transfers made of it. */
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
