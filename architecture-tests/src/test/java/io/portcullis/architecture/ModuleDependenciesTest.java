package io.portcullis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.portcullis.architecture.ProductClasses.CLASSES;
import static io.portcullis.architecture.ProductClasses.noneIn;
import static io.portcullis.architecture.ProductClasses.onlyIn;

import org.junit.jupiter.api.Test;

/** Tests which modules and which packages of the agent may depend on which. */
class ModuleDependenciesTest {
  private static final String GATE = "io.portcullis.gate..";
  private static final String CORE = "io.portcullis.election..";
  private static final String BACKENDS = "io.portcullis.backend..";
  private static final String RULES = "io.portcullis.rules..";

  private static final String MATCH = "io.portcullis.rules.match..";
  private static final String SPEC = "io.portcullis.rules.spec..";
  private static final String CLASS_FILE = "io.portcullis.rules.classfile..";
  private static final String TEMPLATE = "io.portcullis.rules.template..";
  private static final String ACTION = "io.portcullis.rules.action..";
  private static final String EXTENSION = "io.portcullis.rules.extension..";
  private static final String PLAN = "io.portcullis.rules.plan..";
  private static final String COVERAGE = "io.portcullis.rules.coverage..";
  private static final String FILTER = "io.portcullis.rules.filter..";
  private static final String WEAVE = "io.portcullis.rules.weave..";
  private static final String OFFLINE = "io.portcullis.rules.check.classpath..";
  private static final String SURVEY = "io.portcullis.rules.check.report..";
  private static final String WRITES = "io.portcullis.rules.check.writes..";
  private static final String PROPOSE = "io.portcullis.rules.check.propose..";

  private static final String FENCING = "io.portcullis.fencing..";

  private static final String SERVERS = "io.portcullis.servers..";

  /** The package of the servers, without the Kubernetes API below it. */
  private static final String PROCESSES = "io.portcullis.servers";

  private static final String KUBERNETES = "io.portcullis.servers.kubernetes..";

  private static final String DEMO = "io.portcullis.demo..";
  private static final String DEMO_SERVICE = "com.acme..";

  /** The package of the launcher, without the engine's packages below it. */
  private static final String LAUNCHER = "io.portcullis.agent";

  private static final String REDIS = "io.portcullis.backend.redis..";
  private static final String POSTGRES = "io.portcullis.backend.postgres..";
  private static final String QUORUM = "io.portcullis.backend.quorum..";

  private static final String CONFIG = "io.portcullis.agent.config..";

  /** The tree of configuration values, without the readers of its sections. */
  private static final String CONFIG_TREE = "io.portcullis.agent.config.hocon..";

  private static final String CONFIG_SECRETS = "io.portcullis.agent.config.secret..";
  private static final String EXTENSIONS = "io.portcullis.agent.extension..";
  private static final String NODE = "io.portcullis.agent.node..";
  private static final String AGENT_FENCING = "io.portcullis.agent.fencing..";
  private static final String HTTP = "io.portcullis.agent.http..";
  private static final String JMX = "io.portcullis.agent.jmx..";
  private static final String METRICS = "io.portcullis.agent.metrics..";
  private static final String LOG = "io.portcullis.agent.log..";
  private static final String START = "io.portcullis.agent.runtime..";
  private static final String CLI = "io.portcullis.agent.cli..";

  @Test
  void backendsDependOnCoreAndTheirClient() {
    onlyIn(
        REDIS,
        REDIS,
        CORE,
        "io.lettuce..",
        "io.netty..",
        "reactor.core.publisher..",
        "org.slf4j..");
    onlyIn(POSTGRES, POSTGRES, CORE, "org.postgresql..", "com.zaxxer.hikari..", "org.slf4j..");
    onlyIn(QUORUM, QUORUM, CORE, "org.slf4j..");
  }

  @Test
  void quorumMachineDependsOnStoreInterfaceOnly() {
    onlyIn(
        "io.portcullis.backend.quorum.machine..",
        "io.portcullis.backend.quorum.machine..",
        "io.portcullis.election.store..");
    noneIn("io.portcullis.backend.quorum.disk..", "io.portcullis.backend.quorum.network..");
  }

  @Test
  void rulesDependOnGateAndByteBuddy() {
    onlyIn(RULES, RULES, GATE, "net.bytebuddy..", "jakarta.servlet..", "javax.servlet..");
    noneIn("io.portcullis.rules.match..", GATE, "net.bytebuddy..");
  }

  /** Each package of the rules depends only on those before it. */
  @Test
  void ruleDependenciesPointOneWay() {
    onlyIn(MATCH, MATCH);
    onlyIn(SPEC, SPEC);
    onlyIn(CLASS_FILE, CLASS_FILE, MATCH, "net.bytebuddy..");
    onlyIn(TEMPLATE, TEMPLATE, GATE, "net.bytebuddy..", "jakarta.servlet..");
    onlyIn(EXTENSION, EXTENSION, GATE);
    onlyIn(ACTION, ACTION, EXTENSION, TEMPLATE, CLASS_FILE, SPEC, MATCH, GATE);
    onlyIn(PLAN, PLAN, ACTION, EXTENSION, CLASS_FILE, SPEC, MATCH);
    onlyIn(COVERAGE, COVERAGE, PLAN, ACTION, SPEC, MATCH, GATE);
    onlyIn(FILTER, FILTER, COVERAGE, PLAN, CLASS_FILE, MATCH);
    noneIn(WEAVE, "io.portcullis.rules", OFFLINE, SURVEY, WRITES, PROPOSE);
    noneIn("io.portcullis.rules", OFFLINE, SURVEY, WRITES, PROPOSE);
    onlyIn(OFFLINE, OFFLINE, CLASS_FILE, MATCH, "net.bytebuddy..");
    onlyIn(SURVEY, SURVEY, OFFLINE, PLAN, ACTION, CLASS_FILE, MATCH);
    onlyIn(WRITES, WRITES, SURVEY, OFFLINE, MATCH);
    onlyIn(PROPOSE, PROPOSE, WRITES, SURVEY, OFFLINE, PLAN, ACTION, SPEC, MATCH);
  }

  /** The SQL classifier does not depend on the protocol, and the protocol not on the driver. */
  @Test
  void fencingDependsOnGateAndAsm() {
    onlyIn(FENCING, FENCING, GATE, "net.bytebuddy..");
    onlyIn("io.portcullis.gate.sql..", "io.portcullis.gate.sql..");
    noneIn("io.portcullis.fencing.protocol..", "io.portcullis.fencing.weave..", "net.bytebuddy..");
    noneIn(
        "io.portcullis.fencing.weave..",
        "io.portcullis.fencing.protocol..",
        "io.portcullis.gate.sql..");
  }

  @Test
  void launcherDependsOnJdkOnly() {
    onlyIn(LAUNCHER, LAUNCHER);
  }

  @Test
  void agentDependsOnNoBackendClass() {
    noneIn("io.portcullis.agent..", BACKENDS, SERVERS, DEMO, "redis.clients..", "org.postgresql..");
  }

  @Test
  void agentDependenciesPointOneWay() {
    noneIn(EXTENSIONS, LAUNCHER, CONFIG, NODE, HTTP, JMX, METRICS, LOG, START);
    noneIn(CONFIG, LAUNCHER, NODE, HTTP, JMX, METRICS, LOG, START, CLI);
    noneIn(LOG, LAUNCHER, CONFIG, NODE, HTTP, JMX, METRICS, START, CLI);
    noneIn(NODE, LAUNCHER, CONFIG, HTTP, JMX, METRICS, LOG, START, CLI);
    noneIn(AGENT_FENCING, LAUNCHER, HTTP, JMX, METRICS, LOG, START, CLI);
  }

  @Test
  void configTreeDoesNotDependOnItsReaders() {
    onlyIn(CONFIG_TREE, CONFIG_TREE, CONFIG_SECRETS, CORE, MATCH, "com.typesafe.config..");
    onlyIn(CONFIG_SECRETS, CONFIG_SECRETS, CORE);
  }

  @Test
  void nodeViewsDependOnTheNodeOnly() {
    // HTTP has settings of its own: address, token, certificates.
    noneIn(HTTP, LAUNCHER, JMX, METRICS, LOG, START, CLI);
    noneIn(JMX, LAUNCHER, CONFIG, HTTP, METRICS, LOG, START, CLI);
    noneIn(METRICS, LAUNCHER, CONFIG, HTTP, JMX, LOG, START, CLI);
  }

  @Test
  void onlyTheCommandLineDependsOnTheRuntime() {
    noClasses()
        .that()
        .resideOutsideOfPackages(START, CLI)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(START)
        .check(CLASSES);
  }

  @Test
  void nothingDependsOnTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CLI)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(CLI)
        .check(CLASSES);
  }

  @Test
  void testServersDoNotDependOnTheProduct() {
    onlyIn(
        PROCESSES,
        PROCESSES,
        "redis.embedded..",
        "io.zonky.test.db.postgres..",
        "org.testcontainers..",
        "com.github.dockerjava..");
    onlyIn(KUBERNETES, KUBERNETES, PROCESSES, "io.fabric8..", "com.fasterxml.jackson..");
  }

  @Test
  void demoRunnerDoesNotDependOnTheProduct() {
    onlyIn(DEMO, DEMO, SERVERS, "com.fasterxml.jackson..");
  }

  @Test
  void demoServiceDoesNotDependOnPortcullis() {
    noneIn(DEMO_SERVICE, "io.portcullis..");
  }
}
