package io.portcullis.rules.check.propose;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPathFixture;
import io.portcullis.rules.check.propose.Proposal.HealthProposal;
import io.portcullis.rules.check.propose.Proposal.RuleProposal;
import io.portcullis.rules.check.propose.Proposal.RuleSetProposal;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProposalAnalysisTest {
  private static final String POST_MAPPING =
      "package org.springframework.web.bind.annotation; public @interface PostMapping {}";
  private static final String KAFKA =
      "package org.springframework.kafka.annotation; public @interface KafkaListener {}";
  private static final String QUARKUS =
      "package io.quarkus.scheduler; public @interface Scheduled {}";
  private static final String DRIVER =
      """
      package org.driver;
      public abstract class DriverStatement implements java.sql.Statement {
        public int executeUpdate(String sql) { return 1; }
      }
      """;
  private static final String STORE =
      """
      package com.acme;
      import java.nio.file.*;
      public class Store {
        public void save(Path file) throws java.io.IOException { write(file); }
        private void write(Path file) throws java.io.IOException { Files.writeString(file, "x"); }
        public String read(Path file) throws java.io.IOException { return Files.readString(file); }
      }
      """;
  private static final Map<String, List<Rule>> SETS =
      Map.of(
          "http-writes",
          List.of(rule("@org.springframework.web.bind.annotation.PostMapping **#*(..)")),
          "jdbc-writes",
          List.of(rule("java.sql.Statement+#execute*(java.lang.String,..)")));

  @TempDir Path folder;
  private ClassPathFixture fixture;

  @BeforeEach
  void createFixture() {
    fixture = new ClassPathFixture(folder);
  }

  private static Rule rule(String match) {
    return Rule.of(new RuleSpec("r", match, "writer", "throw", Map.of(), false), false);
  }

  /** Analyses an application with libraries; all are given as sources. */
  private Proposal propose(List<String> libraries, String... application) {
    Path library = fixture.compile(libraries.toArray(String[]::new));
    Path jar = fixture.pack("library.jar", ClassPathFixture.files(library, ""));
    return propose(fixture.compile(List.of(library), application), jar);
  }

  private static Proposal propose(Path... classPath) {
    return ProposalAnalysis.of(
        ClassPath.read(
            List.of(classPath).stream().map(Path::toString).toList(),
            ApplicationClassCheck.of(List.of()),
            17),
        SETS);
  }

  @Test
  void writingRequestHandlersAreGatedByTheirRuleSet() {
    Proposal proposal =
        propose(
            List.of(POST_MAPPING),
            """
            package com.acme;
            class Orders {
              @org.springframework.web.bind.annotation.PostMapping void order(java.nio.file.Path file)
                  throws java.io.IOException { new Store().save(file); }
            }
            """,
            STORE.replace("public class", "class").replace("public void", "void"));

    assertThat(proposal.ruleSets())
        .singleElement()
        .isEqualTo(
            new RuleSetProposal(
                "http-writes",
                true,
                List.of(
                    "@org.springframework.web.bind.annotation.PostMapping: 1 method, such as"
                        + " com.acme.Orders#order(java.nio.file.Path)")));
    assertThat(proposal.rules()).as("the write passes the handler's gate").isEmpty();
    assertThat(proposal.missed()).isEmpty();
  }

  @Test
  void listenersWaitUnlessTheyAreSynchronized() {
    String listener =
        """
        package com.acme;
        class Feed {
          @org.springframework.kafka.annotation.KafkaListener void receive(String text) {}
        }
        """;

    RuleProposal waiting = propose(List.of(KAFKA), listener).rules().get(0);
    RuleProposal throwing =
        propose(List.of(KAFKA), listener.replace("void receive", "synchronized void receive"))
            .rules()
            .get(0);

    assertThat(waiting.id()).isEqualTo("kafka-listeners");
    assertThat(waiting.action()).isEqualTo("wait");
    assertThat(waiting.timeout()).isEqualTo(Duration.ofDays(1));
    assertThat(throwing.action()).isEqualTo("throw");
    assertThat(throwing.reasons().get(1)).contains("action wait does not fit");
  }

  @Test
  void scheduledMethodsAreSkipped() {
    Proposal proposal =
        propose(
            List.of(QUARKUS),
            "package com.acme; class Jobs { @io.quarkus.scheduler.Scheduled void sweep() {} }");

    assertThat(proposal.rules())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.match()).isEqualTo("@io.quarkus.scheduler.Scheduled **#*(..)");
              assertThat(rule.action()).isEqualTo("skip");
              assertThat(rule.reasons().get(0)).contains("1 method", "com.acme.Jobs#sweep()");
            });
  }

  @Test
  void fileWritesAreGatedAtThePublicMethod() {
    RuleProposal rule = propose(List.of(KAFKA), STORE).rules().get(0);

    assertThat(rule.id()).isEqualTo("store-save");
    assertThat(rule.match()).isEqualTo("com.acme.Store#save(..)");
    assertThat(rule.observe()).isFalse();
    assertThat(rule.exceptions()).containsExactly("java.io.IOException");
    assertThat(rule.reasons().get(0)).contains("leads to 1 write", "[file] at Store.java:5");
  }

  @Test
  void overloadsAreToldApartByTheirParameters() {
    RuleProposal rule =
        propose(List.of(KAFKA), STORE.replace("String read(", "String save(String name, "))
            .rules()
            .get(0);

    assertThat(rule.match()).isEqualTo("com.acme.Store#save(java.nio.file.Path)");
  }

  @Test
  void requestHandlersOfLibrariesAreNotGatedAsAWhole() {
    Proposal proposal =
        propose(
            List.of(KAFKA),
            STORE,
            """
            package com.acme;
            import com.sun.net.httpserver.*;
            public class Api implements HttpHandler {
              public void handle(HttpExchange exchange) throws java.io.IOException { post(); }
              private void post() throws java.io.IOException { new Store().save(null); }
            }
            """);

    assertThat(proposal.rules())
        .extracting(RuleProposal::match)
        .containsExactly("com.acme.Store#save(..)");
  }

  @Test
  void sqlWritesAreGatedInTheDriver() {
    Proposal proposal =
        propose(
            List.of(DRIVER),
            """
            package com.acme;
            public class Table {
              public void insert(java.sql.Statement s) throws Exception { s.executeUpdate("x"); }
            }
            """);

    assertThat(proposal.ruleSets())
        .singleElement()
        .satisfies(
            set -> {
              assertThat(set.name()).isEqualTo("jdbc-writes");
              assertThat(set.active()).isTrue();
            });
    assertThat(proposal.rules()).isEmpty();
  }

  @Test
  void driverIsNotGatedWhereMigrationsRunAtStart() {
    Proposal proposal =
        propose(
            List.of(DRIVER, "package org.flywaydb.core; public class Flyway { void migrate() {} }"),
            """
            package com.acme;
            public class Table {
              public void insert(java.sql.Statement s) throws Exception { s.executeUpdate("x"); }
            }
            """);

    assertThat(proposal.ruleSets().get(0).active()).isFalse();
    assertThat(proposal.rules())
        .extracting(RuleProposal::match)
        .containsExactly("com.acme.Table#insert(..)");
    assertThat(proposal.warnings())
        .singleElement()
        .asString()
        .contains("Flyway", "action = wait", "remove eligible-when");
  }

  @Test
  void whatRunsAtStartIsOnlyObserved() {
    Proposal proposal =
        propose(
            List.of(KAFKA),
            STORE,
            """
            package com.acme;
            public class Main {
              public static void main(String[] args) throws Exception { new Store().save(null); }
            }
            """);

    assertThat(proposal.rules())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.match()).isEqualTo("com.acme.Store#save(..)");
              assertThat(rule.observe()).isTrue();
            });
  }

  @Test
  void tasksAreNamedAsMissedAndTimerTasksSkipped() {
    String task =
        """
        package com.acme;
        public class Task %s {
          public void run() { new java.io.File("x").delete(); }
        }
        """;

    Proposal thread = propose(List.of(KAFKA), task.formatted("extends Thread"));
    Proposal timer = propose(List.of(KAFKA), task.formatted("extends java.util.TimerTask"));

    assertThat(thread.rules()).isEmpty();
    assertThat(thread.missed()).singleElement().asString().contains("com.acme.Task#run()");
    assertThat(timer.rules()).singleElement().extracting(RuleProposal::action).isEqualTo("skip");
  }

  @Test
  void exceptionsOfTheFrameworkAreNamed() {
    Proposal proposal =
        propose(
            List.of(
                "package org.springframework.web.bind.annotation; public @interface ResponseStatus"
                    + " {}",
                "package jakarta.ws.rs.ext; public interface ExceptionMapper<E> { Object"
                    + " toResponse(E e); }"),
            """
            package com.acme;
            @org.springframework.web.bind.annotation.ResponseStatus
            public class Busy extends RuntimeException { public Busy(String why) { super(why); } }
            """,
            "package com.acme; public class Down extends RuntimeException {}",
            """
            package com.acme;
            public class DownMapper implements jakarta.ws.rs.ext.ExceptionMapper<Down> {
              public Object toResponse(Down down) { return null; }
            }
            """);

    assertThat(proposal.mappedExceptions()).containsExactly("com.acme.Busy", "com.acme.Down");
  }

  @Test
  void actuatorIsAskedAtItsConfiguredAddress() throws IOException {
    Path library =
        fixture.compile(
            "package org.springframework.boot.actuate.health; public class HealthEndpoint {}");
    Path application = fixture.compile("package com.acme; class Empty {}");
    Path settings = application.resolve("application.yml");

    Files.writeString(
        settings,
        """
        server:
          port: ${PORT:8088}  # by the platform
          servlet:
            context-path: "/shop"
        spring.jpa.hibernate.ddl-auto: update
        ---
        server:
          port: 1
        """);
    Proposal proposal = propose(application, library);
    assertThat(proposal.health())
        .isEqualTo(
            new HealthProposal(
                "http",
                "http://localhost:8088/shop/actuator/health",
                true,
                "Spring Boot Actuator was found; the port is from server.port in application.yml"));
    assertThat(proposal.warnings()).singleElement().asString().contains("ddl-auto", "is update");

    Files.writeString(settings, "server.port: ${PORT}");
    assertThat(propose(application, library).health().active()).isFalse();
  }

  @Test
  void hibernateSettingsInXmlAreWarnedAbout() throws IOException {
    Path application = fixture.compile("package com.acme; class Empty {}");
    Files.writeString(
        Files.createDirectory(application.resolve("META-INF")).resolve("persistence.xml"),
        "<properties><property name=\"hibernate.hbm2ddl.auto\" value=\"create\"/></properties>");

    assertThat(propose(application).warnings())
        .singleElement()
        .asString()
        .contains("hibernate.hbm2ddl.auto in META-INF/persistence.xml is create");
    assertThat(propose(application).health().active()).isFalse();
  }

  @Test
  void libraryWritesAreNotProposed() {
    Proposal proposal =
        propose(List.of(STORE.replace("com.acme", "org.lib")), "package com.acme; class Empty {}");

    assertThat(proposal.hasRules()).isFalse();
    assertThat(proposal.missed()).isEmpty();
  }
}
