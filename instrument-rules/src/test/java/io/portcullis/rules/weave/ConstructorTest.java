package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.weave.ClassWeaving.WeaveTask;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Constructors are gated before they do anything, and have no recorded end. */
class ConstructorTest {
  private static final String BUILT = SampleClassLoader.SAMPLES + "Built";

  @Test
  void refusedConstructorHasNoEffectAtAll() throws Exception {
    try (WeavingFixture trial = acting("throw", Map.of())) {
      Class<?> built = woven(trial);

      assertThatThrownBy(() -> make(built)).isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> make(built, "text")).isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> make(built, 1, new long[2])).isInstanceOf(NotLeaderException.class);

      assertThat(built.getField("effects").getInt(null)).isZero();
      assertThat(trial.coverage().blocked()).isEqualTo(3);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void constructorRunsOnAnOpenGateAndIsNeverInFlight() throws Throwable {
    try (WeavingFixture trial = acting("throw", Map.of())) {
      Class<?> built = woven(trial);
      trial.open();

      assertThat(built.getField("name").get(make(built))).isEqualTo("default");
      assertThat(built.getField("name").get(make(built, ""))).isEqualTo("empty");
      assertThat(built.getField("text").get(make(built, 1, new long[] {3, 4}))).isEqualTo("4");
      assertThatThrownBy(() -> make(built, 5, new long[1]))
          .isInstanceOf(ArrayIndexOutOfBoundsException.class);

      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().passed()).isZero();
    }
  }

  @Test
  void refusedConstructorThrowsAnExceptionOfTheApplications() throws Exception {
    try (WeavingFixture trial =
        acting("throw", Map.of("exception", "java.lang.UnsupportedOperationException"))) {
      Class<?> built = woven(trial);

      assertThatThrownBy(() -> make(built))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasCauseInstanceOf(NotLeaderException.class);
    }
  }

  @Test
  void constructorCallWaitsForTheGate() throws Exception {
    try (WeavingFixture trial = acting("wait", Map.of("timeout", Duration.ofMillis(20)))) {
      Class<?> built = woven(trial);
      long before = System.nanoTime();

      assertThatThrownBy(() -> make(built)).isInstanceOf(NotLeaderException.class);

      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isGreaterThanOrEqualTo(Duration.ofMillis(20));
    }
  }

  @Test
  void optionsUnsupportedForConstructorsAreRefused() throws Exception {
    assertThat(refused("skip", Map.of())).contains("a constructor can't be skipped");
    assertThat(refused("return", Map.of("value", 1))).contains("a constructor returns nothing");
    assertThat(refused("throw", Map.of("recheck", true)))
        .contains("the end of a constructor can't be detected, so recheck is not supported there");
    assertThat(refused("wait", Map.of("timeout", Duration.ofSeconds(1), "interrupt", true)))
        .contains("so interrupt is not supported there");
  }

  private static @Nullable String refused(String action, Map<String, @Nullable Object> options)
      throws Exception {
    try (WeavingFixture trial = acting(action, options)) {
      return catchThrowableOfType(CannotGateException.class, () -> woven(trial)).getMessage();
    }
  }

  private static WeavingFixture acting(String action, Map<String, @Nullable Object> options) {
    return WeavingFixture.acting(action, "com.acme.Elsewhere#*(..)", options);
  }

  private static Class<?> woven(WeavingFixture trial) throws Exception {
    byte[] classFile = SampleClassLoader.classFile(BUILT);
    ClassShape shape = ClassShapeReader.read(classFile);
    InstalledRule rule = trial.book.toWeave().get(0);
    ClassFiles classFiles = ClassShapeReader.visibleTo(ConstructorTest.class.getClassLoader());
    List<WeaveTask> gatings = new ArrayList<>();
    for (MethodShape method : shape.methods()) {
      if (method.name().equals("<init>")) {
        gatings.add(
            new WeaveTask(rule, method, rule.rule().action().form(shape, method, classFiles)));
      }
    }
    return new SampleClassLoader()
        .define(BUILT, new AdviceWeaver().weave(shape, classFile, gatings));
  }

  private static Object make(Class<?> type, Object... arguments) throws Throwable {
    for (var constructor : type.getConstructors()) {
      if (constructor.getParameterCount() == arguments.length) {
        try {
          return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(type.getName());
  }
}
