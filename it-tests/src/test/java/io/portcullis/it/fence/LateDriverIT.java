package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a JDBC driver that the JVM loads without calling any class file transformer. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class LateDriverIT {
  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void unwovenDriverIsDetectedAndConnectionsAreReplaced() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm node = vault.startWithLateDriver(stage, "a", vault.fenced());

    for (String name : LateDriverTransferService.DRIVER) {
      node.awaitLog(line -> line.contains("loaded to find ") && line.endsWith(name));
      node.awaitLog(name + " of ");
    }
    Awaitility.await("fenced connections")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> fencedConnections(node) == TransferService.WRITER_THREADS);
    vault.awaitTransfersBy("a");
    assertThat(vault.totalBalance()).isEqualTo(FencedDatabaseFixture.initialTotalBalance());
  }

  private static int fencedConnections(ServiceJvm node) throws IOException, InterruptedException {
    return node.status().json().path("fences").path(0).path("connections").asInt();
  }
}
