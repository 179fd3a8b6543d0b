package io.portcullis.rules.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.WeavingFixture;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Match patterns for classes from Kotlin's compiler, called as Kotlin's compiler calls them. */
class KotlinTest {
  private static final String USES = "com.acme.kt.UsesKt";

  @TempDir static Path classes;

  private static CompiledSample kotlin;

  @BeforeAll
  static void compile() throws Exception {
    kotlin =
        CompiledSample.by(
            "kotlin",
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            (main, arguments) -> {
              Object exit =
                  main.getMethod("exec", PrintStream.class, String[].class)
                      .invoke(
                          main.getConstructor().newInstance(),
                          System.err,
                          Stream.concat(
                                  Stream.of("-no-stdlib", "-no-reflect", "-module-name", "shop"),
                                  arguments.stream())
                              .toArray(String[]::new));
              return String.valueOf(exit).equals("OK");
            },
            classes,
            "Orders.kt",
            "Uses.kt");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          com.acme.kt.OrdersKt#saveAll(java.util.List)                            | topLevel
          com.acme.kt.OrdersKt#archive(com.acme.kt.Order)                         | extension
          com.acme.kt.Orders#save(java.lang.String)                               | method
          com.acme.kt.Orders#saveNoted(java.lang.String,java.lang.String)         | allArguments
          com.acme.kt.Orders#saveNoted(java.lang.String,java.lang.String)         | defaultArgument
          com.acme.kt.Orders#saveNoted(..)                                        | defaultArgument
          com.acme.kt.Orders#saveNoted$default(..)                                | defaultArgument
          com.acme.kt.Orders#saveInside$shop(..)                                  | internalMethod
          com.acme.kt.Orders#saveInside$*(..)                                     | internalMethod
          com.acme.kt.Orders#saveNumbered-*(java.lang.String)                     | valueClass
          com.acme.kt.Orders#setLimit(int)                                        | setter
          com.acme.kt.Orders$Companion#import(..)                                 | companion
          com.acme.kt.Orders$Companion#importStatic(..)                           | staticOfCompanion
          com.acme.kt.Ledger#write(..)                                            | singleton
          com.acme.kt.Ledger#writeStatic(..)                                      | staticOfSingleton
          com.acme.kt.Store#put(..)                                               | inheritedDefault
          com.acme.kt.Store+#put(..)                                              | inheritedDefault
          com.acme.kt.Store+#put(..)                                              | overriddenDefault
          com.acme.kt.Slow#save(java.lang.String,kotlin.coroutines.Continuation)  | begin
          com.acme.kt.Slow#saveOpen(..)                                           | beginOpen
          """)
  void kotlinDeclarationIsGated(String match, String use) throws Throwable {
    kotlin.assertGated(match, USES, use);
  }

  /** Java calls the static method, which calls the companion's. */
  @Test
  void companionRuleGatesTheStaticMethodForJava() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("com.acme.kt.Orders$Companion#importStatic(..)");
        URLClassLoader application = kotlin.application()) {
      Class<?> orders = application.loadClass("com.acme.kt.Orders");

      assertThatThrownBy(() -> CompiledSample.call(orders, null, "importStatic", "file"))
          .isInstanceOf(NotLeaderException.class);
      trial.open();
      assertThat(CompiledSample.call(orders, null, "importStatic", "file")).isEqualTo("file");
    }
  }

  @Test
  void kotlinBypassesTheStaticMethodOfACompanion() throws Throwable {
    kotlin.assertPassedBy("com.acme.kt.Orders#importStatic(..)", USES, "staticOfCompanion");
  }

  @Test
  void classBypassesTheSetterOfItsOwnProperty() throws Throwable {
    kotlin.assertPassedBy("com.acme.kt.Orders#setLimit(int)", USES, "setInItsOwnClass");
  }

  @Test
  void kotlinBypassesAnInlineFunction() throws Throwable {
    kotlin.assertPassedBy("com.acme.kt.OrdersKt#saveInline(..)", USES, "inlined");
  }

  @Test
  void suspendedFinalFunctionIsRefusedWhenItResumes() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("com.acme.kt.Slow#save(..)");
        URLClassLoader application = kotlin.application()) {
      trial.open();
      Object begun = begin(application, "begin");
      trial.gate.shut();

      assertThatThrownBy(() -> resume(begun)).isInstanceOf(NotLeaderException.class);
      assertThat(saved(begun)).isEqualTo("nothing");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"begin", "beginOpen"})
  void suspendedFunctionContinuesWhileTheGateIsOpen(String begin) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("com.acme.kt.Slow#save*(..)");
        URLClassLoader application = kotlin.application()) {
      trial.open();
      Object begun = begin(application, begin);

      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(resume(begun)).isEqualTo("one");
      assertThat(saved(begun)).isEqualTo("one");
    }
  }

  @Test
  void suspendedOpenFunctionContinuesOnAShutGate() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("com.acme.kt.Slow#saveOpen(..)");
        URLClassLoader application = kotlin.application()) {
      trial.open();
      Object begun = begin(application, "beginOpen");
      trial.gate.shut();

      assertThat(resume(begun)).isEqualTo("one");
    }
  }

  @Test
  void openFunctionIsRefusedIfItsSuspendImplIsNamed() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("com.acme.kt.Slow#saveOpen$suspendImpl(..)");
        URLClassLoader application = kotlin.application()) {
      trial.open();
      Object begun = begin(application, "beginOpen");
      trial.gate.shut();

      assertThatThrownBy(() -> resume(begun)).isInstanceOf(NotLeaderException.class);
      assertThat(saved(begun)).isEqualTo("nothing");
    }
  }

  private static Object begin(ClassLoader application, String use) throws Throwable {
    return Objects.requireNonNull(CompiledSample.call(application.loadClass(USES), null, use));
  }

  private static Object resume(Object begun) throws Throwable {
    return Objects.requireNonNull(CompiledSample.call(begun.getClass(), begun, "resume"));
  }

  private static Object saved(Object begun) throws Throwable {
    return Objects.requireNonNull(CompiledSample.call(begun.getClass(), begun, "saved"));
  }
}
