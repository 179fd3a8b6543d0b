package io.portcullis.rules.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.WeavingFixture;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Match patterns for classes from Scala's compiler, called as Scala's compiler calls them. */
class ScalaTest {
  private static final String USES = "com.acme.sc.Uses";

  @TempDir static Path classes;

  private static CompiledSample scala;

  @BeforeAll
  static void compile() throws Exception {
    scala =
        CompiledSample.by(
            "scala",
            "scala.tools.nsc.Main",
            (main, arguments) ->
                (boolean)
                    main.getMethod("process", String[].class)
                        .invoke(null, (Object) arguments.toArray(String[]::new)),
            classes,
            "Orders.scala");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          com.acme.sc.Orders#save(java.lang.String)                       | method
          com.acme.sc.Orders#saveNoted(java.lang.String,java.lang.String) | defaultArgument
          com.acme.sc.Orders#$plus(..)                                    | operator
          com.acme.sc.Orders#limit_$eq(int)                               | setter
          com.acme.sc.Orders$#load(..)                                    | companion
          com.acme.sc.Ledger$#write(..)                                   | singleton
          com.acme.sc.Store#put(..)                                       | inherited
          com.acme.sc.Store+#put(..)                                      | inherited
          com.acme.sc.Store+#put(..)                                      | overridden
          """)
  void scalaDeclarationIsGated(String match, String use) throws Throwable {
    scala.assertGated(match, USES, use);
  }

  /** Java calls the static method, which calls the object's. */
  @Test
  void objectRuleGatesTheStaticForwarderForJava() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("com.acme.sc.Ledger$#write(..)");
        URLClassLoader application = scala.application()) {
      Class<?> ledger = application.loadClass("com.acme.sc.Ledger");

      assertThatThrownBy(() -> CompiledSample.call(ledger, null, "write", "line"))
          .isInstanceOf(NotLeaderException.class);
      trial.open();
      assertThat(CompiledSample.call(ledger, null, "write", "line")).isEqualTo("line");
    }
  }

  @Test
  void scalaBypassesTheStaticForwarderOfAnObject() throws Throwable {
    scala.assertPassedBy("com.acme.sc.Ledger#write(..)", USES, "singleton");
  }

  @Test
  void traitNameDoesNotMatchOverridingMethods() throws Throwable {
    scala.assertPassedBy("com.acme.sc.Store#put(..)", USES, "overridden");
  }
}
