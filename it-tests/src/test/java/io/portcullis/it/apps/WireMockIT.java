package io.portcullis.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.management.JMException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the published WireMock: one jar with everything, used over HTTP. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class WireMockIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Pattern STARTED = Pattern.compile("^port: +(\\d+)");
  private static final String STUB =
      "{\"request\":{\"url\":\"%s\"},\"response\":{\"body\":\"hello\"}}";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void onlyTheLeaderAcceptsNewStubs() throws IOException, InterruptedException, JMException {
    AgentConf conf =
        AgentConf.redis(stage.redis().uri(), LEASE)
            .rule(
                "{ id = stubs, match ="
                    + " \"com.github.tomakehurst.wiremock.core.WireMockApp#addStubMapping(..)\" }");
    LeaderStandbyPair pair =
        LeaderStandbyPair.start(
            stage,
            name ->
                JvmLauncher.jar(
                        Artifacts.wireMock(),
                        "--port=0",
                        "--bind-address=127.0.0.1",
                        "--no-request-journal")
                    .conf(conf));

    assertTakes(pair.leader(), "/a");
    assertRefuses(pair.standby(), "/a");
    pair.switchLeader();
    assertTakes(pair.leader(), "/b");
    assertRefuses(pair.standby(), "/b");

    assertThat(AppHttpClient.of(pair.standby(), STARTED).get("/a").body())
        .as("earlier stubs are still served")
        .isEqualTo("hello");
    assertThat(RuleStatus.state(pair.leader(), "stubs")).isEqualTo("ARMED");
  }

  private static void assertTakes(ServiceJvm jvm, String path)
      throws IOException, InterruptedException {
    AppHttpClient web = AppHttpClient.of(jvm, STARTED);
    assertThat(web.post("/__admin/mappings", STUB.formatted(path)).statusCode()).isEqualTo(201);
    assertThat(web.get(path).body()).isEqualTo("hello");
  }

  private static void assertRefuses(ServiceJvm jvm, String path)
      throws IOException, InterruptedException {
    AppHttpClient web = AppHttpClient.of(jvm, STARTED);
    assertThat(web.post("/__admin/mappings", STUB.formatted(path)).statusCode()).isEqualTo(500);
    assertThat(web.get(path).statusCode()).isEqualTo(404);
  }
}
