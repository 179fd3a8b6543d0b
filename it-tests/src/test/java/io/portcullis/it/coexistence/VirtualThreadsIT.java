package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.acme.app.VirtualService;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests thousands of virtual threads in gated methods at once. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class VirtualThreadsIT {
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  /**
   * Duration of five thousand pauses of 100 ms on two carrier threads if those were pinned: 250 s.
   */
  private static final long TOO_LONG_MILLIS = 120_000;

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void gatedVirtualThreadsDoNotPinCarrierThreads() throws IOException {
    List<Path> jdks =
        Jdks.all().filter(jdk -> Jdks.version(jdk) >= FIRST_WITH_VIRTUAL_THREADS).toList();
    assumeTrue(!jdks.isEmpty(), "no JDK with virtual threads is configured");
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    for (Path jdk : jdks) {
      String name = "a" + jvms.size();
      jvms.add(
          stage.start(
              name,
              JvmLauncher.application(VirtualService.class.getName())
                  .option("-Djdk.virtualThreadScheduler.parallelism=2")
                  .option("-Djdk.virtualThreadScheduler.maxPoolSize=2")
                  .conf(promotion.conf(name, "com.acme.app.VirtualService#work()"))
                  .jdk(jdk)));
    }

    promotion.assertGateFollowsLeadership(jvms);

    assertThat(jvms)
        .allSatisfy(
            jvm ->
                assertThat(jvm.output().stdout())
                    .filteredOn(line -> line.startsWith("took "))
                    .isNotEmpty()
                    .allSatisfy(
                        line ->
                            assertThat(Long.parseLong(line.replaceAll("\\D", "")))
                                .isLessThan(TOO_LONG_MILLIS)));
  }
}
