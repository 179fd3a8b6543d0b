package io.portcullis.agent.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.diagnostics.DiagnosticsReport.JvmAgents;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmAgentsTest {

  @Test
  void agentsAreListedWithoutTheirArguments() {
    assertThat(
            JvmAgents.among(
                List.of(
                    "-Xmx96m",
                    "-javaagent:/opt/apm.jar=license=s3cr3t,env=prod",
                    "-agentlib:jdwp=transport=dt_socket",
                    "-Dpassword=s3cr3t",
                    "-agentpath:/opt/libprofiler.so")))
        .containsExactly(
            "-javaagent:/opt/apm.jar=***", "-agentlib:jdwp=***", "-agentpath:/opt/libprofiler.so");
  }
}
