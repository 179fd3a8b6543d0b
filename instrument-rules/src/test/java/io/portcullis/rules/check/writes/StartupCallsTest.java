package io.portcullis.rules.check.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPathFixture;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.report.RuleCheckRun;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartupCallsTest {
  private static final String STORE =
      "package com.acme;\npublic class Store { public static void save(String s) {} }";
  private static final String SAVE = "com.acme.Store#save(..)";

  @TempDir Path folder;
  private ClassPathFixture workshop;

  @BeforeEach
  void open() {
    workshop = new ClassPathFixture(folder);
  }

  /** Checks an application without the classes of the framework that it was compiled against. */
  private List<String> calls(String action, String match, String framework, String... sources) {
    Path library = workshop.compile(framework, "package lib;\npublic class Other {}");
    String[] all = Stream.concat(Stream.of(STORE), Stream.of(sources)).toArray(String[]::new);
    ClassPath classPath =
        ClassPath.read(
            List.of(workshop.compile(List.of(library), all).toString()),
            ApplicationClassCheck.of(List.of()),
            17);
    ClassPathHierarchy hierarchy = new ClassPathHierarchy(classPath);
    RuleCheckRun run = new RuleCheckRun(classPath, hierarchy);
    run.of(List.of(Rule.of(new RuleSpec("r", match, "writer", action, Map.of(), false), false)));
    return StartupCalls.of(classPath, hierarchy, run);
  }

  private List<String> calls(String body) {
    return calls(
        "throw",
        SAVE,
        "package lib;\npublic class Nothing {}",
        "package com.acme;\npublic class App {\n" + body + "\n}");
  }

  @Test
  void gatedMethodCalledByMainIsReported() {
    assertThat(
            calls(
                """
                public static void main(String[] args) { begin(); }
                private static void begin() { Store.save("x"); Store.save("y"); }
                """))
        .containsExactly(
            "com.acme.Store#save(java.lang.String) runs at start, where a standby is refused:"
                + " com.acme.App#begin() (App.java:4) calls it, reached from"
                + " com.acme.App#main(java.lang.String[])");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "static { Store.save(\"x\"); }",
        "static final Object O = new Object() { { Store.save(\"x\"); } };",
      })
  void gatedMethodCalledByAStaticInitialiserIsReported(String body) {
    assertThat(calls(body)).singleElement().asString().contains("com.acme.App#<clinit>()");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public static void main(String[] a) { new Thread(() -> Store.save(\"x\")).start(); }",
        "public void later() { Store.save(\"x\"); }",
        "public static void main(String[] a) { new App(); } public void run() { Store.save(a()); }"
            + " private String a() { return null; }",
      })
  void gatedMethodCalledLaterIsNotReported(String body) {
    assertThat(calls(body)).isEmpty();
  }

  @Test
  void skippedMethodIsNotReported() {
    String main =
        "package com.acme;\npublic class App { public static void main(String[] a) {"
            + " Store.save(null); } }";
    String nothing = "package lib;\npublic class Nothing {}";

    assertThat(calls("skip", SAVE, nothing, main)).isEmpty();
    assertThat(calls("throw", SAVE, nothing, main)).hasSize(1);
  }

  @Test
  void callBehindAnotherGateIsNotReported() {
    String match = "com.acme.**#*(java.lang.String)";
    String app =
        "package com.acme;\npublic class App { public static void main(String[] a) { go(null); }"
            + " static void go(String s) { Store.save(s); } }";

    assertThat(calls("throw", match, "package lib;\npublic class Nothing {}", app))
        .singleElement()
        .asString()
        .startsWith("com.acme.App#go(java.lang.String) runs at start");
  }

  @Test
  void annotatedMethodIsRunAtStart() {
    assertThat(
            calls(
                "throw",
                SAVE,
                "package jakarta.annotation;\nimport java.lang.annotation.*;\n"
                    + "@Retention(RetentionPolicy.RUNTIME) public @interface PostConstruct {}",
                "package com.acme;\npublic class App { @jakarta.annotation.PostConstruct"
                    + " void init() { Store.save(null); } }"))
        .singleElement()
        .asString()
        .contains("com.acme.App#init()");
  }

  @Test
  void activatorOfABundleIsRunAtStart() {
    assertThat(
            calls(
                "throw",
                SAVE,
                "package org.osgi.framework;\npublic interface BundleActivator {"
                    + " void start(Object context); void stop(Object context); }",
                "package com.acme;\npublic class App implements org.osgi.framework.BundleActivator"
                    + " { public void start(Object c) { Store.save(null); }"
                    + " public void stop(Object c) { Store.save(null); } }"))
        .singleElement()
        .asString()
        .contains("com.acme.App#start(java.lang.Object)");
  }

  @Test
  void listenerOfAStartEventIsRunAtStart() {
    assertThat(
            calls(
                "throw",
                SAVE,
                "package org.springframework.boot.context.event;\n"
                    + "public class ApplicationReadyEvent {}",
                "package com.acme;\npublic class App { void on(org.springframework.boot.context"
                    + ".event.ApplicationReadyEvent e) { Store.save(null); } }"))
        .singleElement()
        .asString()
        .contains("com.acme.App#on(");
  }
}
