package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.KeyCheck;
import io.portcullis.agent.config.hocon.KnownKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The agent.conf that is deployed, against the agent that reads it and the pod it runs in. */
class KubernetesConfTest {
  private static final Path METHODS =
      Path.of("../demo-service/src/main/java/com/acme/ledger/Ledger.java");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{\\??([A-Z_]+)}");

  private final Deployed deployed = new Deployed();
  private final Yaml pod = Deployed.one("Deployment", "ledger").at("spec", "template", "spec");
  private final Yaml container = pod.named("ledger", "containers");

  @Test
  void deployedConfigurationHasNoUnknownKey() {
    KeyCheck check = new KeyCheck(deployed.problems, new KnownKeys());

    check.check(deployed.conf, deployed.agentReference("portcullis"), Set.of());
    check.check(deployed.election(), deployed.electionReference(), Set.of());
    assertThat(deployed.conf.get("rules")).isInstanceOf(ConfigNode.Listing.class);
    if (deployed.conf.get("rules") instanceof ConfigNode.Listing rules) {
      for (ConfigNode rule : rules.items()) {
        assertThat(rule).isInstanceOf(ConfigSection.class);
        check.check((ConfigSection) rule, deployed.agentReference("rule"), Set.of());
      }
    }

    assertThat(deployed.problems.list()).isEmpty();
    assertThat(Deployed.text(deployed.election(), "backend")).isEqualTo("kubernetes");
  }

  @Test
  void deployedRuleMatchesAMethodOfTheService() throws IOException {
    String conf = Files.readString(Deployed.FOLDER.resolve("agent.conf"));

    assertThat(conf)
        .contains("{ id = append, match = \"com.acme.ledger.Ledger#append(..)\" }")
        .contains("required-rules = [ append ]");
    assertThat(Files.readString(METHODS)).contains(" append(");
  }

  @Test
  void podSetsEveryVariableTheConfigurationReads() throws IOException {
    Matcher named = VARIABLE.matcher(Files.readString(Deployed.FOLDER.resolve("agent.conf")));
    Set<String> read = new TreeSet<>();
    while (named.find()) {
      read.add(named.group(1));
    }

    assertThat(read).isEqualTo(new TreeSet<>(Deployed.VARIABLES.keySet()));
    assertThat(read)
        .allSatisfy(
            name -> assertThat(container.named(name, "env").has("valueFrom")).as(name).isTrue());
    assertThat(container.named("POD_NAME", "env").text("valueFrom", "fieldRef", "fieldPath"))
        .isEqualTo("metadata.name");
    assertThat(container.named("POD_IP", "env").text("valueFrom", "fieldRef", "fieldPath"))
        .isEqualTo("status.podIP");
  }

  @Test
  void kubeletProbesReachTheAgent() {
    String port = container.named("portcullis", "ports").text("containerPort");

    assertThat(deployed.setting("http", "enabled")).isEqualTo("true");
    assertThat(deployed.setting("http", "bind")).isEqualTo("0.0.0.0");
    assertThat(deployed.setting("http", "port")).isEqualTo(port);
    assertThat(container.text("readinessProbe", "httpGet", "path")).isEqualTo("/readyz");
    assertThat(container.text("livenessProbe", "httpGet", "path")).isEqualTo("/healthz");
    assertThat(container.text("startupProbe", "httpGet", "path")).isEqualTo("/healthz");
    for (String probe : new String[] {"readinessProbe", "livenessProbe", "startupProbe"}) {
      assertThat(container.text(probe, "httpGet", "port")).as(probe).isEqualTo("portcullis");
    }
  }

  @Test
  void standbyIsReadySoRollingUpdatesProceed() {
    Yaml strategy = Deployed.one("Deployment", "ledger").at("spec", "strategy");

    assertThat(deployed.setting("http", "ready-when")).isEqualTo("participating");
    assertThat(strategy.text("type")).isEqualTo("RollingUpdate");
    assertThat(strategy.number("rollingUpdate", "maxSurge")).isPositive();
    assertThat(strategy.number("rollingUpdate", "maxUnavailable")).isZero();
  }

  @Test
  void gracePeriodCoversTheRelease() {
    Duration grace = Duration.ofSeconds(pod.number("terminationGracePeriodSeconds"));
    Duration linger = deployed.length("", "shutdown-linger", Duration.ZERO);
    Duration drain = deployed.length("timing", "drain", Duration.ofSeconds(30));

    assertThat(linger).isPositive();
    assertThat(grace).isGreaterThan(linger.plus(drain).plusSeconds(5));
  }

  @Test
  void agentAndConfigurationAreMountedWhereConfigured() {
    String options = container.named("JAVA_TOOL_OPTIONS", "env").text("value");
    Yaml init = pod.named("agent", "initContainers");
    String jars = container.named("portcullis", "volumeMounts").text("mountPath");
    String config = container.named("config", "volumeMounts").text("mountPath");

    assertThat(options)
        .isEqualTo("-javaagent:%s/portcullis-agent.jar=%s/agent.conf".formatted(jars, config));
    assertThat(init.named("portcullis", "volumeMounts").text("mountPath")).isEqualTo(jars);
    assertThat(init.texts("command"))
        .containsExactly("cp", "/portcullis-agent.jar", jars + "/portcullis-agent.jar");
    assertThat(pod.named("portcullis", "volumes").has("emptyDir")).isTrue();
    Yaml made = Deployed.kustomization().items("configMapGenerator").get(0);
    assertThat(made.texts("files")).containsExactly("agent.conf");
    assertThat(pod.named("config", "volumes").text("configMap", "name"))
        .isEqualTo(made.text("name"));
  }

  @Test
  void serviceSelectsTheLabelOfTheLeader() {
    assertThat(Deployed.text(deployed.election().section("kubernetes"), "label-pod"))
        .isEqualTo("true");
    assertThat(Deployed.one("Service", "ledger").text("spec", "selector", "portcullis.io/role"))
        .isEqualTo("leader");
  }
}
