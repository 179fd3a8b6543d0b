package io.portcullis.rules.check.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPathFixture;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.report.GatedMethods.GatedMethod;
import io.portcullis.rules.check.report.RuleCheckRun.RuleFindings;
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

class RuleCheckRunTest {
  private static final String STORE =
      """
      package com.acme;
      public class Store extends Base implements Saving {
        public void save(String what) {}
        public void save(String what, int times) {}
        public native void sync();
        public static class Inner { void turn() {} }
      }
      """;
  private static final String BASE =
      "package com.acme;\npublic class Base { public void flush() {} }";
  private static final String SAVING =
      "package com.acme;\npublic interface Saving { void save(String what); }";

  @TempDir Path folder;
  private ClassPathFixture workshop;

  @BeforeEach
  void open() {
    workshop = new ClassPathFixture(folder);
  }

  private static Rule rule(String match) {
    return rule(match, Map.of(), false);
  }

  private static Rule rule(String match, Map<String, Object> options, boolean observe) {
    return Rule.of(new RuleSpec("r", match, "writer", "throw", options, observe), false);
  }

  private RuleFindings findings(Rule rule, String... sources) {
    ClassPath classPath =
        ClassPath.read(
            List.of(workshop.compile(sources).toString()), ApplicationClassCheck.of(List.of()), 17);
    return new RuleCheckRun(classPath, new ClassPathHierarchy(classPath)).of(List.of(rule)).get(0);
  }

  private RuleFindings ofStore(Rule rule) {
    return findings(rule, STORE, BASE, SAVING);
  }

  private static List<String> gated(RuleFindings findings) {
    return findings.gated().stream().map(GatedMethod::toString).toList();
  }

  @Test
  void methodsGatedByARuleAreListed() {
    RuleFindings findings = ofStore(rule("com.acme.Store#save(..)"));

    assertThat(gated(findings))
        .containsExactly(
            "com.acme.Store#save(java.lang.String)", "com.acme.Store#save(java.lang.String,int)");
    assertThat(findings.refusals()).isEmpty();
    assertThat(findings.warnings()).isEmpty();
  }

  @Test
  void misspeltClassIsReportedWithSimilarNames() {
    assertThat(ofStore(rule("com.acme.Stroe#save(..)")).warnings())
        .singleElement()
        .asString()
        .contains("there is no class com.acme.Stroe", "similar: com.acme.Store");
    assertThat(ofStore(rule("com.other.Store#save(..)")).warnings())
        .singleElement()
        .asString()
        .contains("similar: com.acme.Store");
    assertThat(ofStore(rule("com.acme.Store.Inner#turn()")).warnings())
        .singleElement()
        .asString()
        .contains("write com.acme.Store$Inner");
  }

  @Test
  void misspeltMethodIsReportedWithSimilarNames() {
    assertThat(ofStore(rule("com.acme.Store#sav(..)")).warnings())
        .singleElement()
        .asString()
        .contains("similar: save(java.lang.String)");
  }

  @Test
  void parentThatDeclaresTheBodyIsReported() {
    assertThat(ofStore(rule("com.acme.Store#flush()")).warnings())
        .singleElement()
        .asString()
        .contains("com.acme.Base: match that class instead");
  }

  @Test
  void ruleForAbstractMethodsOnlyIsReported() {
    assertThat(ofStore(rule("com.acme.Saving#save(..)")).warnings())
        .singleElement()
        .asString()
        .contains("abstract in com.acme.Saving");
  }

  @Test
  void nativeMethodNamedExactlyIsRefusedAsByTheWeaver() {
    assertThat(ofStore(rule("com.acme.Store#sync()")).refusals())
        .singleElement()
        .asString()
        .contains("com.acme.Store#sync()", "native");
  }

  @Test
  void missingExceptionIsRefusedUnlessTheRuleObserves() {
    Map<String, Object> missing = Map.of("exception", "com.acme.Gone");

    RuleFindings enforced = ofStore(rule("com.acme.Store#save(..)", missing, false));
    RuleFindings observed = ofStore(rule("com.acme.Store#save(..)", missing, true));

    assertThat(enforced.refusals())
        .hasSize(2)
        .allSatisfy(text -> assertThat(text).contains("com.acme.Gone can't be found"));
    assertThat(observed.refusals()).isEmpty();
    assertThat(observed.warnings()).hasSize(2);
  }

  @Test
  void unreadableClassFileFailsTheRulesThatMatchIt() {
    Map<String, byte[]> files = ClassPathFixture.files(workshop.compile(SAVING), "");
    files.put("com/acme/Ledger.class", new byte[] {1, 2, 3});
    ClassPath classPath =
        ClassPath.read(
            List.of(workshop.pack("app.jar", files).toString()),
            ApplicationClassCheck.of(List.of()),
            17);
    RuleCheckRun survey = new RuleCheckRun(classPath, new ClassPathHierarchy(classPath));

    List<RuleFindings> findings =
        survey.of(List.of(rule("com.acme.Ledger#*(..)"), rule("com.other.**#*(..)")));

    assertThat(findings.get(0).refusals())
        .singleElement()
        .asString()
        .contains("com.acme.Ledger: the class file can't be read");
    assertThat(findings.get(1).refusals()).isEmpty();
  }

  @Test
  void ungatedOverrideIsReportedUntilARuleGatesIt() {
    String special =
        """
        package com.acme;
        public class Special extends Base { @Override public void flush() {} }
        """;
    ClassPath classPath =
        ClassPath.read(
            List.of(workshop.compile(BASE, special).toString()),
            ApplicationClassCheck.of(List.of()),
            17);
    ClassPathHierarchy hierarchy = new ClassPathHierarchy(classPath);
    Rule base = rule("com.acme.Base#flush()");
    Rule both = rule("com.acme.Spe*#flush()");

    assertThat(new RuleCheckRun(classPath, hierarchy).of(List.of(base)).get(0).warnings())
        .singleElement()
        .asString()
        .contains("com.acme.Special#flush() overrides com.acme.Base#flush()");
    assertThat(new RuleCheckRun(classPath, hierarchy).of(List.of(base, both)).get(0).warnings())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"skip-or-throw", "leader-only", "throw-unless-read", "skip"})
  void throwingActionsOfRuleSetsAreReported(String action) {
    String tasks =
        """
        package com.acme;
        public class Tasks {
          public static class Periodic implements Runnable { public void run() {} }
          public static class Asked implements java.util.concurrent.Callable<String> {
            public String call() { return ""; }
          }
        }
        """;
    boolean skips = !action.equals("throw-unless-read");
    String match = action.equals("skip") ? "com.acme.Tasks**#run()" : "com.acme.Tasks**#*(..)";
    Rule rule = Rule.of(new RuleSpec("r", match, "writer", action, Map.of(), false), false);

    List<String> warnings = findings(rule, tasks).warnings();

    assertThat(warnings.stream().anyMatch(text -> text.contains("Periodic#run()")))
        .isEqualTo(!skips);
    assertThat(warnings.stream().anyMatch(text -> text.contains("Asked#call()")))
        .isEqualTo(!action.equals("skip"));
  }

  @Test
  void harmfulThrowActionIsReported() {
    String job = "package org.quartz;\npublic interface Job { void execute(Object context); }";
    String listener =
        "package jakarta.jms;\npublic interface MessageListener { void onMessage(Object m); }";
    String annotation =
        """
        package org.springframework.kafka.annotation;
        public @interface KafkaListener {}
        """;
    String traps =
        """
        package com.acme;
        public class Traps {
          public static class Periodic implements Runnable {
            public void run() {}
            public void run(int times) {}
          }
          public static class Timed extends java.util.TimerTask { public void run() {} }
          public static class Asked implements java.util.concurrent.Callable<String> {
            public String call() { return ""; }
          }
          public static class Nightly implements org.quartz.Job {
            public void execute(Object context) {}
          }
          public static class Hearing implements jakarta.jms.MessageListener {
            public void onMessage(Object message) {}
          }
          @org.springframework.kafka.annotation.KafkaListener public void hear(String record) {}
          public void harmless() {}
        }
        """;

    List<String> warnings =
        findings(rule("com.acme.Traps**#*(..)"), traps, job, listener, annotation).warnings();

    assertThat(warnings).hasSize(6);
    assertThat(Stream.of("Periodic", "Timed", "Asked", "Nightly", "Hearing", "hear("))
        .allSatisfy(name -> assertThat(warnings).anyMatch(text -> text.contains(name)));
    assertThat(warnings)
        .anyMatch(text -> text.contains("Timed#run") && text.contains("whole Timer"));
  }

  @Test
  void unknownInterfaceIsNoReasonToDoubtARuleForAClass() {
    Path library =
        workshop.compile(
            "package lib;\npublic interface Marker {}", "package lib;\npublic class Parent {}");
    Path classes =
        workshop.compile(
            List.of(library),
            "package com.acme;\npublic class Base { public void flush() {} }",
            "package com.acme;\npublic interface Saving { void save(); }",
            "package com.acme;\npublic class Marked implements lib.Marker {}",
            "package com.acme;\npublic class Child extends lib.Parent {}");
    ClassPath classPath =
        ClassPath.read(List.of(classes.toString()), ApplicationClassCheck.of(List.of()), 17);
    RuleCheckRun run = new RuleCheckRun(classPath, new ClassPathHierarchy(classPath));

    List<RuleFindings> findings =
        run.of(List.of(rule("com.acme.Base+#flush()"), rule("com.acme.Saving+#save()")));

    assertThat(findings.get(0).warnings())
        .anyMatch(text -> text.contains("lib.Parent, a supertype of com.acme.Child"))
        .noneMatch(text -> text.contains("lib.Marker"));
    assertThat(findings.get(1).warnings())
        .anyMatch(text -> text.contains("lib.Marker, a supertype of com.acme.Marked"));
  }
}
