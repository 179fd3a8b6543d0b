package io.portcullis.agent.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class DelegationTest {

  @Test
  void containersAreToldToAskTheBootstrapLoaderForTheGate() {
    Properties properties = new Properties();

    Delegation.arrange(properties);

    assertThat(properties)
        .containsEntry("jboss.modules.system.pkgs", "io.portcullis.gate")
        .containsEntry("org.osgi.framework.bootdelegation", "io.portcullis.gate");
  }

  @Test
  void whatTheOperatorHadSetStays() {
    Properties properties = new Properties();
    properties.setProperty("jboss.modules.system.pkgs", "org.jboss.logmanager, com.acme.agent");

    Delegation.arrange(properties);
    Delegation.arrange(properties);

    assertThat(properties.getProperty("jboss.modules.system.pkgs"))
        .isEqualTo("org.jboss.logmanager, com.acme.agent,io.portcullis.gate");
  }
}
