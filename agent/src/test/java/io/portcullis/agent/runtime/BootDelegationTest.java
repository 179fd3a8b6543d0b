package io.portcullis.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.runtime.AgentEngineStart.BootDelegation;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class BootDelegationTest {

  @Test
  void containersDelegateTheGateToTheBootstrapLoader() {
    Properties properties = new Properties();
    properties.setProperty("org.osgi.framework.bootdelegation", "sun.*");

    BootDelegation.arrange(properties);

    assertThat(properties)
        .containsEntry("jboss.modules.system.pkgs", "io.portcullis.gate")
        .containsEntry("org.osgi.framework.bootdelegation", "sun.*,io.portcullis.gate");
  }

  /** A framework would use the property instead of the list in its own configuration. */
  @Test
  void osgiBootDelegationListIsNotReplaced() {
    Properties properties = new Properties();

    BootDelegation.arrange(properties);

    assertThat(properties).doesNotContainKey("org.osgi.framework.bootdelegation");
  }

  @Test
  void valuesSetByTheOperatorAreKept() {
    Properties properties = new Properties();
    properties.setProperty("jboss.modules.system.pkgs", "org.jboss.logmanager, com.acme.agent");

    BootDelegation.arrange(properties);
    BootDelegation.arrange(properties);

    assertThat(properties.getProperty("jboss.modules.system.pkgs"))
        .isEqualTo("org.jboss.logmanager, com.acme.agent,io.portcullis.gate");
  }
}
