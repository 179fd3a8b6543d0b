package io.portcullis.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.management.JMException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a Spring Boot application in its fat jar, with jobs, transactions and a repository. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class SpringBootIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
  private static final String TABLE_BY_URL =
      "--spring.datasource.url=jdbc:h2:mem:shop;INIT=CREATE TABLE IF NOT EXISTS orders"
          + " (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY\\, item VARCHAR(100) NOT NULL)";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void onlyTheLeaderRunsJobsAndRepositoryWrites()
      throws IOException, InterruptedException, JMException {
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .rule(
                "{ id = jobs, match ="
                    + " \"@org.springframework.scheduling.annotation.Scheduled **#*(..)\","
                    + " action = skip }")
            .rule("{ id = store, match = \"com.acme.shop.OrderStore+#save(..)\" }")
            .set("service", "by-rules");

    LeaderStandbyPair pair = LeaderStandbyPair.start(stage, name -> launch().conf(conf));
    assertServes(pair, 500, "jobs");
    pair.switchLeader();
    assertServes(pair, 500, "jobs");

    assertThat(RuleStatus.state(pair.leader(), "store")).isEqualTo("ARMED");
  }

  @Test
  void springRuleSetsGateJobsAndReturn503() throws IOException, InterruptedException, JMException {
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .set("rule-sets", "[ spring-scheduled, spring-transactional, servlet-503 ]")
            .set("service", "by-sets");

    LeaderStandbyPair pair = LeaderStandbyPair.start(stage, name -> launch().conf(conf));
    assertServes(pair, 503, "spring-scheduled");
    pair.switchLeader();
    assertServes(pair, 503, "spring-scheduled");

    AppHttpClient standby = AppHttpClient.of(pair.standby(), STARTED);
    HttpResponse<String> refused = standby.post("/orders?item=tea");
    assertThat(refused.headers().firstValue("Retry-After")).contains("5");
    assertThat(refused.headers().firstValue("X-Portcullis-Leader").orElse(""))
        .startsWith(pair.leader().name() + "-");
    assertThat(standby.post("/orders/later?item=tea").statusCode())
        .as("refused on another thread, reported by the request's thread")
        .isEqualTo(503);
  }

  @Test
  void standbyReadsButCannotWriteThroughSpring() throws IOException, InterruptedException {
    ServiceJvm jvm =
        stage.start(
            "standby",
            launch()
                .argument("--spring.sql.init.mode=never")
                .argument(TABLE_BY_URL)
                .conf(
                    AgentConf.redis(redis.uri(), LEASE)
                        .set("mode", "off")
                        .set("when-off", "standby")
                        .set("rule-sets", "[ jdbc-writes, servlet-503 ]")));
    AppHttpClient web = AppHttpClient.of(jvm, STARTED);

    assertThat(web.post("/orders?item=tea").statusCode()).isEqualTo(503);
    assertThat(web.get("/orders").body()).isEqualTo("[]");
    assertThat(RuleStatus.blocked(jvm, "jdbc-prepared-update")).isPositive();
  }

  @Test
  void failuresThatSpringHandlesBecome503() throws IOException, InterruptedException {
    ServiceJvm jvm =
        stage.start(
            "standby",
            launch()
                .argument("--shop.errors.handled=true")
                .conf(standby("[ spring-transactional, servlet-503 ]")));
    AppHttpClient web = AppHttpClient.of(jvm, STARTED);

    HttpResponse<String> handled = web.post("/orders?item=tea");
    HttpResponse<String> paged = web.post("/orders?item=tea&page=");

    assertThat(handled.statusCode()).isEqualTo(503);
    assertThat(handled.headers().firstValue("Retry-After")).contains("5");
    assertThat(handled.body()).isEqualTo("The shop failed.");
    assertThat(paged.statusCode()).isEqualTo(503);
    assertThat(paged.headers().firstValue("Retry-After")).contains("5");
    assertThat(paged.body()).contains("\"status\":503");
    assertThat(web.post("/orders").statusCode())
        .as("a mistake of the client, which is handled as a failure and refused by nobody")
        .isEqualTo(500);
    assertThat(web.get("/orders").body()).isEqualTo("[]");
  }

  @Test
  void httpWritesRefusesRequestsBeforeSpringHandlesThem() throws IOException, InterruptedException {
    ServiceJvm jvm =
        stage.start(
            "standby",
            launch().argument("--shop.errors.handled=true").conf(standby("[ http-writes ]")));
    AppHttpClient web = AppHttpClient.of(jvm, STARTED);

    for (String path : new String[] {"/orders?item=tea", "/orders/later?item=tea"}) {
      HttpResponse<String> refused = web.post(path);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("5");
      assertThat(refused.body()).isEmpty();
    }
    assertThat(web.get("/orders").body()).isEqualTo("[]");
    assertThat(RuleStatus.blocked(jvm, "http-writes-jakarta")).isEqualTo(2);
  }

  @Test
  void httpWritesRefusesAnnotatedMethodsAlone() throws IOException, InterruptedException {
    ServiceJvm jvm =
        stage.start(
            "standby",
            launch()
                .argument("--shop.errors.handled=true")
                .conf(standby("[ http-writes ]"))
                .env("PORTCULLIS__rule__http_writes_jakarta__mode", "observe"));
    AppHttpClient web = AppHttpClient.of(jvm, STARTED);

    HttpResponse<String> refused = web.post("/orders?item=tea");

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("5");
    assertThat(web.get("/orders").body()).isEqualTo("[]");
    assertThat(RuleStatus.blocked(jvm, "http-writes-spring-post")).isEqualTo(1);
  }

  private static AgentConf standby(String ruleSets) {
    return AgentConf.redis("redis://127.0.0.1:1", LEASE)
        .set("mode", "off")
        .set("when-off", "standby")
        .set("rule-sets", ruleSets);
  }

  private static JvmLauncher launch() {
    return JvmLauncher.jar(
        Artifacts.springBoot(),
        "--server.port=0",
        "--server.address=127.0.0.1",
        "--shop.jobs.rate=100");
  }

  /** Both read; only the leader writes and runs jobs. */
  private static void assertServes(LeaderStandbyPair pair, int refused, String jobs)
      throws IOException, InterruptedException {
    AppHttpClient leader = AppHttpClient.of(pair.leader(), STARTED);
    AppHttpClient standby = AppHttpClient.of(pair.standby(), STARTED);
    assertThat(leader.post("/orders?item=tea").statusCode()).isEqualTo(201);
    assertThat(leader.get("/orders").body()).contains("tea");
    String before = standby.get("/orders").body();
    assertThat(standby.post("/orders?item=coffee").statusCode()).isEqualTo(refused);
    assertThat(standby.get("/orders").body()).isEqualTo(before).doesNotContain("coffee");

    JsonNode ranOnStandby = jobs(standby);
    RuleStatus.awaitBlocked(pair.standby(), jobs, 3);
    assertThat(jobs(standby)).isEqualTo(ranOnStandby);
    JsonNode ran = jobs(leader);
    Awaitility.await("both jobs run")
        .atMost(TIMEOUT)
        .until(
            () ->
                jobs(leader).path("sweep").asInt() > ran.path("sweep").asInt()
                    && jobs(leader).path("dust").asInt() > ran.path("dust").asInt());
  }

  private static JsonNode jobs(AppHttpClient web) throws IOException, InterruptedException {
    return new ObjectMapper().readTree(web.get("/jobs").body());
  }
}
