package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.LeadershipApiService;
import io.portcullis.gate.Leadership;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests applications that use the API to read the leader. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class LeadershipApiIT {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void leadershipApiShowsTheLeaderWithTheAgent() throws IOException {
    RedisServer redis = stage.redis();
    JvmLauncher launch = aware().conf(AgentConf.redis(redis.uri(), LEASE));

    ServiceJvm a = stage.start("a", launch.env("PORTCULLIS__node__id", "a"));
    a.awaitLog("active=true leads=true required=yes loader=null");
    ServiceJvm b = stage.start("b", launch.env("PORTCULLIS__node__id", "b"));

    b.awaitLog("active=true leads=false required=no, leader=a-" + a.handle().pid());
  }

  @Test
  void leadershipApiReportsLeaderWithoutTheAgent() throws IOException {
    ServiceJvm jvm = stage.start("alone", aware().withoutAgent());

    assertThat(jvm.awaitLog("active=").text()).startsWith("active=false leads=true required=yes");
  }

  /** Includes the API's own jar on the class path, as such an application may. */
  private static JvmLauncher aware() {
    Path api =
        Path.of(
            URI.create(
                Leadership.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    return JvmLauncher.application(LeadershipApiService.class.getName(), api);
  }
}
