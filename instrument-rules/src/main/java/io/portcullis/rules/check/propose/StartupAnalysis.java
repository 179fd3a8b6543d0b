package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.propose.ApplicationSettings.SettingValue;
import io.portcullis.rules.check.propose.Proposal.HealthProposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds what writes to the database at start, and how to see that the application serves. */
final class StartupAnalysis {
  private static final String DEFAULT_PORT = "8080";
  private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");
  private static final Set<String> HARMLESS_DDL = Set.of("none", "validate", "never", "false");
  private static final String[] DDL_KEYS = {
    "spring.jpa.hibernate.ddl-auto",
    "spring.jpa.properties.hibernate.hbm2ddl.auto",
    "hibernate.hbm2ddl.auto",
    "jakarta.persistence.schema-generation.database.action",
    "javax.persistence.schema-generation.database.action",
    "quarkus.hibernate-orm.schema-management.strategy",
    "quarkus.hibernate-orm.database.generation"
  };

  private final ClassPath classPath;
  private final ApplicationSettings settings;

  StartupAnalysis(ClassPath classPath) {
    this.classPath = classPath;
    this.settings = new ApplicationSettings(classPath.application().settings());
  }

  /** One paragraph for each tool that changes the database at start. */
  List<String> databaseChanges() {
    List<String> found = new ArrayList<>();
    if (has("org.flywaydb.core.Flyway") && isEnabled("spring.flyway.enabled")) {
      found.add(
          "Flyway is on the class path: its migrations run at start, on every node, under a lock"
              + " of its own. To let only the leader migrate, add the rule { id = flyway, match ="
              + " \"org.flywaydb.core.Flyway#migrate()\", action = wait, timeout = 10m }. A node"
              + " then starts only once it leads, so remove eligible-when: it could never"
              + " succeed before.");
    }
    if ((has("liquibase.Liquibase") || has("liquibase.integration.spring.SpringLiquibase"))
        && isEnabled("spring.liquibase.enabled")) {
      found.add(
          "Liquibase is on the class path: its change sets run at start, on every node, under a"
              + " lock in the database. Gated, for example by rule set jdbc-writes, it waits for"
              + " that lock again and again and keeps a standby from starting.");
    }
    settings
        .find(DDL_KEYS)
        .filter(value -> !HARMLESS_DDL.contains(value.text()))
        .ifPresent(value -> found.add(schemaChange(value)));
    settings
        .find("spring.sql.init.mode")
        .filter(value -> value.text().equals("always"))
        .ifPresent(
            value ->
                found.add(
                    "%s is always: the SQL scripts run at start, on every node."
                        .formatted(value.place())));
    return found;
  }

  private static String schemaChange(SettingValue value) {
    return "%s is %s: Hibernate changes the schema at start, on every node. Set it to validate, and"
            .formatted(value.place(), value.text().isEmpty() ? "set at run time" : value.text())
        + " change the schema in a separate step, before standbys refuse writes.";
  }

  private boolean isEnabled(String key) {
    return !settings.text(key, "true").equals("false");
  }

  HealthProposal health() {
    if (has("org.springframework.boot.actuate.health.HealthEndpoint")
        || has("org.springframework.boot.health.actuate.endpoint.HealthEndpoint")) {
      return actuator();
    }
    if (has("io.quarkus.smallrye.health.runtime.SmallRyeHealthHandler")) {
      return quarkusHealth();
    }
    if (has("io.quarkus.vertx.http.runtime.VertxHttpRecorder")) {
      return tcp("Quarkus", settings.find("quarkus.http.port"));
    }
    if (has("org.springframework.boot.SpringApplication")
        && (has("org.springframework.web.servlet.DispatcherServlet")
            || has("org.springframework.web.reactive.DispatcherHandler"))) {
      return tcp("Spring Boot", settings.find("server.port"));
    }
    return new HealthProposal(
        "tcp", "localhost:" + DEFAULT_PORT, false, "write the port on which the service listens");
  }

  private HealthProposal actuator() {
    Optional<SettingValue> port = settings.find("management.server.port", "server.port");
    boolean ownPort = settings.find("management.server.port").isPresent();
    boolean secure =
        settings
            .find(
                ownPort ? "management.server.ssl.key-store" : "server.ssl.key-store",
                ownPort ? "management.server.ssl.bundle" : "server.ssl.bundle",
                ownPort ? "management.server.ssl.certificate" : "server.ssl.certificate")
            .isPresent();
    String context =
        ownPort
            ? settings.text("management.server.base-path", "")
            : settings.text("server.servlet.context-path", "");
    String path = context + settings.text("management.endpoints.web.base-path", "/actuator");
    return http(secure, port, path + "/health", "Spring Boot Actuator");
  }

  private HealthProposal quarkusHealth() {
    boolean management = settings.text("quarkus.management.enabled", "false").equals("true");
    Optional<SettingValue> port =
        management
            ? settings
                .find("quarkus.management.port")
                .or(() -> Optional.of(new SettingValue("9000", "quarkus.management.enabled")))
            : settings.find("quarkus.http.port");
    String root = settings.text("quarkus.http.root-path", "/").replaceFirst("/+$", "");
    return http(false, port, (management ? "" : root) + "/q/health", "SmallRye Health");
  }

  private static HealthProposal http(
      boolean secure, Optional<SettingValue> port, String path, String what) {
    String number = port.map(SettingValue::text).orElse(DEFAULT_PORT);
    boolean known = PORT.matcher(number).matches() && path.startsWith("/");
    String url =
        "%s://localhost:%s%s"
            .formatted(secure ? "https" : "http", known ? number : DEFAULT_PORT, path);
    return new HealthProposal("http", url, known, reason(what, port, known));
  }

  private static HealthProposal tcp(String what, Optional<SettingValue> port) {
    String number = port.map(SettingValue::text).orElse(DEFAULT_PORT);
    boolean known = PORT.matcher(number).matches();
    return new HealthProposal(
        "tcp", "localhost:" + (known ? number : DEFAULT_PORT), known, reason(what, port, known));
  }

  private static String reason(String what, Optional<SettingValue> port, boolean known) {
    String source = port.map(SettingValue::place).orElse("the default port");
    return known
        ? what + " was found; the port is from " + source
        : what + " was found, but its address is known only at run time: see " + source;
  }

  private boolean has(String className) {
    return classPath.find(className) != null;
  }
}
