package io.portcullis.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests programs whose database is also the election's store. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class DatabaseIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String REFUSED = "io.portcullis.gate.NotLeaderException";

  private static final List<String> JDBC_RULES =
      List.of(
          "jdbc-prepare",
          "jdbc-execute",
          "jdbc-prepared-execute",
          "jdbc-prepared-query",
          "jdbc-prepared-update",
          "jdbc-batch",
          "jdbc-rows",
          "jdbc-inserted-rows",
          "jdbc-copy",
          "jdbc-large-objects");

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static PostgresServer postgres;

  @BeforeAll
  static void startPostgres() {
    postgres = SERVERS.postgres();
    postgres.execute("CREATE TABLE payments (id bigserial PRIMARY KEY, amount bigint)");
  }

  @Test
  void migrationsWaitForLeadership() throws IOException, InterruptedException {
    AgentConf conf =
        conf("flyway")
            .rule(
                "{ id = migrate, match = \"org.flywaydb.core.Flyway#migrate()\", action = wait,"
                    + " timeout = 1m }");

    postgres.execute("CREATE DATABASE flyway");

    LeaderStandbyPair pair = start(conf, "com.acme.jobs.MigratingService", "flyway");
    pair.leader().awaitLog("migrated, scripts run: 2");
    Awaitility.await()
        .atMost(TIMEOUT)
        .until(() -> RuleStatus.blocked(pair.standby(), "migrate") > 0);
    assertThat(pair.standby().output().stdout()).containsExactly("migrating");

    pair.leader().terminate();
    pair.standby().awaitLog("migrated, scripts run: 0");
    assertThat(pair.standby().leads()).isTrue();
  }

  @Test
  void clusteredQuartzRunsAllJobsOnTheLeader() throws IOException, JMException {
    postgres.execute("CREATE DATABASE quartz");
    QuartzTables.create(postgres, "quartz");
    AgentConf conf = conf("quartz").set("rule-sets", "[ quartz-jobs ]");

    LeaderStandbyPair pair =
        LeaderStandbyPair.start(
            stage, name -> program("com.acme.jobs.ReportScheduler", "quartz", "true").conf(conf));
    assertReportsOnlyBy(pair.leader(), pair.standby(), "quartz-triggers");
    pair.switchLeader();
    assertReportsOnlyBy(pair.leader(), pair.standby(), "quartz-triggers");

    assertThat(QuartzTables.states(postgres, "quartz"))
        .isSubsetOf("WAITING", "ACQUIRED", "BLOCKED");
  }

  @Test
  void skippedQuartzJobKeepsItsTrigger() throws IOException, JMException {
    for (String database : List.of("quartz_a", "quartz_b")) {
      postgres.execute("CREATE DATABASE " + database);
      QuartzTables.create(postgres, database);
    }
    AgentConf conf =
        conf("reports")
            .rule(
                "{ id = reports, match = \"com.acme.jobs.ReportJob#execute(..)\", action = skip"
                    + " }");

    LeaderStandbyPair pair =
        LeaderStandbyPair.start(
            stage,
            name -> program("com.acme.jobs.ReportScheduler", "quartz_" + name, "false").conf(conf));
    assertReportsOnlyBy(pair.leader(), pair.standby(), "reports");
    pair.switchLeader();
    assertReportsOnlyBy(pair.leader(), pair.standby(), "reports");
    pair.switchLeader();
    assertReportsOnlyBy(pair.leader(), pair.standby(), "reports");
  }

  @Test
  void standbyReadsButCannotWriteByAnyJdbcMethod() throws IOException, JMException {
    AgentConf conf = conf("teller").set("rule-sets", "[ jdbc-writes ]");

    LeaderStandbyPair pair = start(conf, "com.acme.jobs.JdbcWorkload", "postgres");
    assertWrites(pair.leader(), "done");
    assertWrites(pair.standby(), REFUSED);
    assertThat(JDBC_RULES).allMatch(rule -> RuleStatus.state(pair.standby(), rule).equals("ARMED"));
    pair.switchLeader();
    assertWrites(pair.leader(), "done");
    assertWrites(pair.standby(), REFUSED);

    assertThat(pair.leader().output().stderr())
        .as("no connection was considered dead")
        .noneMatch(line -> line.contains("Failed to validate connection"));
  }

  private LeaderStandbyPair start(AgentConf conf, String mainClass, String database)
      throws IOException {
    return LeaderStandbyPair.start(stage, name -> program(mainClass, database).conf(conf));
  }

  private static JvmLauncher program(String mainClass, String database, String... more) {
    JvmLauncher launch =
        JvmLauncher.program(Artifacts.jobs(), mainClass, postgres.url(database), postgres.user());
    List.of(more).forEach(launch::argument);
    return launch;
  }

  private static AgentConf conf(String service) {
    return AgentConf.postgres(postgres.url(), postgres.user(), LEASE).set("service", service);
  }

  private static void assertReportsOnlyBy(ServiceJvm leader, ServiceJvm standby, String rule) {
    long before = reports(leader);
    long standbyBefore = reports(standby);
    RuleStatus.awaitBlocked(standby, rule, 2);
    Awaitility.await("reports").atMost(TIMEOUT).until(() -> reports(leader) > before + 2);
    assertThat(reports(standby)).isEqualTo(standbyBefore);
  }

  private static long reports(ServiceJvm jvm) {
    return jvm.output().stdout().stream().filter("report written"::equals).count();
  }

  private static void assertWrites(ServiceJvm jvm, String outcome) {
    List<String> round = OutputRounds.next(jvm);

    assertThat(round).filteredOn(line -> line.startsWith("read ")).hasSize(7);
    assertThat(round).filteredOn(line -> line.startsWith("write ")).hasSize(23);
    assertThat(round)
        .allSatisfy(
            line ->
                assertThat(line).endsWith(line.startsWith("read ") ? ": done" : ": " + outcome));
  }
}
