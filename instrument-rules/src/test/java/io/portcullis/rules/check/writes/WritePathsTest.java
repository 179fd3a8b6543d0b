package io.portcullis.rules.check.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPathFixture;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.report.RuleCheckRun;
import io.portcullis.rules.check.writes.WritePaths.UngatedWrite;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WritePathsTest {
  private static final String STORE =
      """
      package com.acme;
      import java.sql.*;
      public class Store {
        void save(Connection c) throws SQLException {
          try (PreparedStatement s = c.prepareStatement("INSERT")) { s.executeUpdate(); }
        }
        int count(Connection c) throws SQLException {
          try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("SELECT")) {
            return r.getInt(1);
          }
        }
      }
      """;
  private static final String DESK =
      """
      package com.acme;
      public class Desk {
        private final Store store = new Store();
        public void take(java.sql.Connection c) throws Exception { inner(c); }
        private void inner(java.sql.Connection c) throws Exception { store.save(c); }
      }
      """;
  private static final String BACK_DOOR =
      """
      package com.acme;
      public class BackDoor {
        public void mend(java.sql.Connection c) throws Exception { new Store().save(c); }
      }
      """;

  @TempDir Path folder;
  private ClassPathFixture workshop;

  @BeforeEach
  void open() {
    workshop = new ClassPathFixture(folder);
  }

  private static WritePaths paths(List<Path> classPath, String... matches) {
    ClassPath read =
        ClassPath.read(
            classPath.stream().map(Path::toString).toList(),
            ApplicationClassCheck.of(List.of()),
            17);
    ClassPathHierarchy hierarchy = new ClassPathHierarchy(read);
    RuleCheckRun survey = new RuleCheckRun(read, hierarchy);
    survey.of(
        Stream.of(matches)
            .map(
                match ->
                    Rule.of(new RuleSpec("r", match, "writer", "throw", Map.of(), false), false))
            .toList());
    return WritePaths.of(read, hierarchy, survey.gates());
  }

  private static List<String> ungated(WritePaths paths) {
    return paths.ungated().stream().map(UngatedWrite::method).toList();
  }

  @Test
  void callOfAnUpdateIsFoundAndAQueryIsNot() {
    WritePaths paths = paths(List.of(workshop.compile(STORE)));

    assertThat(paths.calls()).isEqualTo(1);
    assertThat(paths.ungated())
        .singleElement()
        .hasToString(
            "com.acme.Store#save(java.sql.Connection) (Store.java:5) calls"
                + " java.sql.PreparedStatement#executeUpdate() [jdbc]");
  }

  @Test
  void callInAGatedMethodIsGated() {
    WritePaths paths = paths(List.of(workshop.compile(STORE)), "com.acme.Store#save(..)");

    assertThat(paths.calls()).isEqualTo(1);
    assertThat(paths.ungated()).isEmpty();
  }

  @Test
  void methodCalledOnlyByGatedMethodsIsGated() {
    List<Path> app = List.of(workshop.compile(STORE, DESK));

    assertThat(ungated(paths(app, "com.acme.Desk#take(..)"))).isEmpty();
    assertThat(paths(app).ungated())
        .singleElement()
        .asString()
        .contains("Store#save", "reached from com.acme.Desk#take");
  }

  @Test
  void oneUngatedPathIsEnough() {
    List<Path> app = List.of(workshop.compile(STORE, DESK, BACK_DOOR));

    assertThat(paths(app, "com.acme.Desk#take(..)").ungated())
        .singleElement()
        .asString()
        .contains("reached from com.acme.BackDoor#mend");
    assertThat(ungated(paths(app, "com.acme.Desk#take(..)", "com.acme.BackDoor#*(..)"))).isEmpty();
  }

  @Test
  void observingRuleGatesNothing() {
    ClassPath read =
        ClassPath.read(
            List.of(workshop.compile(STORE).toString()), ApplicationClassCheck.of(List.of()), 17);
    ClassPathHierarchy hierarchy = new ClassPathHierarchy(read);
    RuleCheckRun survey = new RuleCheckRun(read, hierarchy);
    survey.of(
        List.of(
            Rule.of(
                new RuleSpec("r", "com.acme.Store#*(..)", "writer", "throw", Map.of(), true),
                false)));

    assertThat(WritePaths.of(read, hierarchy, survey.gates()).ungated()).hasSize(1);
  }

  @Test
  void mutuallyRecursiveMethodsCountAsEntryPoints() {
    String circle =
        """
        package com.acme;
        public class Circle {
          void left(java.sql.Statement s) throws Exception { s.execute("DELETE"); right(s); }
          void right(java.sql.Statement s) throws Exception { left(s); }
        }
        """;

    assertThat(ungated(paths(List.of(workshop.compile(circle))))).hasSize(1);
  }

  @Test
  void lambdaBelongsToItsEnclosingMethod() {
    String lambdas =
        """
        package com.acme;
        import java.sql.*;
        public class Lambdas {
          interface Work { void on(Statement s) throws SQLException; }
          Work made() { return s -> s.executeUpdate("INSERT"); }
          Work named() { return Lambdas::write; }
          private static void write(Statement s) throws SQLException { s.executeBatch(); }
        }
        """;
    List<Path> app = List.of(workshop.compile(lambdas));

    assertThat(ungated(paths(app))).hasSize(2);
    assertThat(ungated(paths(app, "com.acme.Lambdas#made()", "com.acme.Lambdas#named()")))
        .isEmpty();
  }

  @Test
  void methodThatALibraryMayCallIsAnEntryPoint() {
    String task =
        """
        package com.acme;
        import java.sql.*;
        public class Task implements Runnable {
          Statement s;
          public void run() {
            try { s.execute("DELETE"); } catch (SQLException e) { throw new RuntimeException(e); }
          }
          public void now() { run(); }
        }
        """;
    List<Path> app = List.of(workshop.compile(task));

    assertThat(ungated(paths(app, "com.acme.Task#now()"))).containsExactly("com.acme.Task#run()");
  }

  @Test
  void annotatedMethodIsAnEntryPoint() {
    String annotated =
        """
        package com.acme;
        public class Annotated {
          @interface Scheduled {}
          @Scheduled void nightly(java.sql.Statement s) throws Exception { s.execute("DELETE"); }
          @Deprecated void old(java.sql.Statement s) throws Exception { s.execute("DELETE"); }
          void now(java.sql.Statement s) throws Exception { nightly(s); old(s); }
        }
        """;

    assertThat(ungated(paths(List.of(workshop.compile(annotated)), "com.acme.Annotated#now(..)")))
        .containsExactly("com.acme.Annotated#nightly(java.sql.Statement)");
  }

  @Test
  void callsThroughInterfacesOfTheApplicationAreFollowed() {
    String saving = "package com.acme;\ninterface Saving { void save(java.sql.Statement s); }";
    String hidden =
        """
        package com.acme;
        class Hidden implements Saving {
          public void save(java.sql.Statement s) {
            try { s.execute("INSERT"); } catch (java.sql.SQLException e) { throw new Error(e); }
          }
        }
        """;
    String user =
        """
        package com.acme;
        public class User {
          void use(Saving saving, java.sql.Statement s) { saving.save(s); }
        }
        """;
    List<Path> app = List.of(workshop.compile(saving, hidden, user));

    assertThat(ungated(paths(app))).containsExactly("com.acme.Hidden#save(java.sql.Statement)");
    assertThat(ungated(paths(app, "com.acme.User#use(..)"))).isEmpty();
  }

  @Test
  void repositoryInterfaceWritesByItsInheritedMethods() {
    String crud =
        """
        package org.springframework.data.repository;
        public interface CrudRepository<T, I> { <S extends T> S save(S s); T find(I id); }
        """;
    String orders =
        """
        package com.acme;
        public interface Orders
            extends org.springframework.data.repository.CrudRepository<String, Long> {
          void deleteByName(String name);
        }
        """;
    String user =
        """
        package com.acme;
        public class User {
          void use(Orders orders) { orders.save("a"); orders.find(1L); orders.deleteByName("a"); }
        }
        """;
    Path library = workshop.compile(crud);
    Path app = workshop.compile(List.of(library), orders, user);

    WritePaths paths =
        paths(List.of(app, workshop.pack("data.jar", ClassPathFixture.files(library, ""))));

    assertThat(paths.ungated())
        .extracting(UngatedWrite::called)
        .containsExactly(
            "com.acme.Orders#save(java.lang.Object)",
            "com.acme.Orders#deleteByName(java.lang.String)");
    assertThat(paths(List.of(app)).calls())
        .as("known by the parent's name if the library is missing")
        .isEqualTo(2);
  }

  @Test
  void gatedWriteApiGatesItsCallers() {
    String template =
        """
        package org.springframework.jdbc.core;
        public class JdbcTemplate { public int update(String sql) { return 0; } }
        """;
    String user =
        """
        package com.acme;
        public class User {
          void use(org.springframework.jdbc.core.JdbcTemplate jdbc) { jdbc.update("DELETE"); }
        }
        """;
    Path library = workshop.compile(template);
    Path app = workshop.compile(List.of(library), user);
    List<Path> all = List.of(app, workshop.pack("jdbc.jar", ClassPathFixture.files(library, "")));

    assertThat(ungated(paths(all)))
        .containsExactly("com.acme.User#use(org.springframework.jdbc.core.JdbcTemplate)");
    assertThat(ungated(paths(all, "org.springframework.jdbc.core.JdbcTemplate#update(..)")))
        .isEmpty();
  }

  @Test
  void partlyGatedWriteApiLeavesItsCallersUngated() {
    String api =
        """
        package jakarta.persistence;
        public interface EntityManager { void persist(Object entity); }
        """;
    String one =
        """
        package org.one;
        public class Manager implements jakarta.persistence.EntityManager {
          public void persist(Object entity) {}
        }
        """;
    String user =
        """
        package com.acme;
        public class User {
          void use(jakarta.persistence.EntityManager manager) { manager.persist(""); }
        }
        """;
    Path library = workshop.compile(api, one, one.replace("org.one", "org.two"));
    Path app = workshop.compile(List.of(library), user);
    List<Path> all = List.of(app, workshop.pack("jpa.jar", ClassPathFixture.files(library, "")));

    assertThat(ungated(paths(all, "org.one.**#persist(..)"))).hasSize(1);
    assertThat(ungated(paths(all, "jakarta.persistence.EntityManager+#persist(..)"))).isEmpty();
  }

  @Test
  void writesInsideLibrariesAreNotReported() {
    Path library = workshop.pack("lib.jar", ClassPathFixture.files(workshop.compile(STORE), ""));
    Path app = workshop.compile("package com.app;\npublic class App {}");

    assertThat(paths(List.of(app, library)).calls()).isZero();
  }

  private static final String[] DRIVER = {
    "package driver;\npublic abstract class Plain implements java.sql.Statement {"
        + " public boolean execute(String sql) { return true; }"
        + " public int executeUpdate(String sql) { return 1; }"
        + " public int[] executeBatch() { return null; } }",
    "package driver;\npublic abstract class Prepared extends Plain"
        + " implements java.sql.PreparedStatement {"
        + " public boolean execute() { return true; } public int executeUpdate() { return 1; } }"
  };

  @Test
  void callOfAnObjectMapperIsCoveredByAGatedDriver() {
    String jpa =
        "package jakarta.persistence;\npublic interface EntityManager { void persist(Object o); }";
    String orders =
        """
        package com.acme;
        public class Orders {
          public void add(jakarta.persistence.EntityManager m) { m.persist("x"); }
        }
        """;
    Path app = workshop.compile(List.of(workshop.compile(jpa)), orders);
    Path driver = workshop.pack("driver.jar", ClassPathFixture.files(workshop.compile(DRIVER), ""));
    String[] gated = {
      "java.sql.Statement+#execute*(..)", "java.sql.PreparedStatement+#execute*(..)"
    };

    assertThat(paths(List.of(app, driver)).ungated()).hasSize(1);
    assertThat(paths(List.of(app, driver), "java.sql.Statement+#execute*(..)").ungated())
        .as("the driver writes by other methods, too")
        .hasSize(1);
    assertThat(paths(List.of(app), gated).ungated()).as("no driver to be seen").hasSize(1);
    WritePaths covered = paths(List.of(app, driver), gated);
    assertThat(covered.ungated()).isEmpty();
    assertThat(covered.covered()).isEqualTo(1);
  }

  @Test
  void writesOfFilesAreACategoryAndReadsAreNot() {
    WritePaths paths =
        paths(
            List.of(
                workshop.compile(
                    """
                    package com.acme;
                    import java.io.*;
                    import java.nio.file.*;
                    public class Files2 {
                      public void write(Path p) throws IOException { Files.writeString(p, "x"); }
                      public Object open(File f) throws IOException { return new FileOutputStream(f); }
                      public String read(Path p) throws IOException { return Files.readString(p); }
                      public Object in(File f) throws IOException { return new FileInputStream(f); }
                    }
                    """)));

    assertThat(paths.callsByApi()).containsExactly(Map.entry("file", 2));
    assertThat(paths.ungated())
        .extracting(UngatedWrite::called)
        .anyMatch(called -> called.startsWith("java.nio.file.Files#writeString("))
        .contains("java.io.FileOutputStream#new(java.io.File)");
  }
}
