package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.WeavingFixture;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code from the compilers of Kotlin and Scala: their own libraries, loaded and gated. */
class OtherLanguagesTest {
  private static final String RANDOM = "kotlin.random.Random";
  private static final String LIST = "scala.collection.immutable.List";

  private URLClassLoader application;

  @BeforeEach
  void open() {
    application =
        new URLClassLoader(
            new URL[] {library("kotlin/Unit.class"), library("scala/Unit.class")},
            new GateClassLoader());
  }

  /** The parents of an application's loader: the JDK and the gate. */
  private static final class GateClassLoader extends ClassLoader {
    GateClassLoader() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("io.portcullis.gate.")) {
        return Class.forName(name, false, OtherLanguagesTest.class.getClassLoader());
      }
      throw new ClassNotFoundException(name);
    }
  }

  private static URL library(String file) {
    try {
      URL found = OtherLanguagesTest.class.getClassLoader().getResource(file);
      String place = String.valueOf(found);
      return new URI(place.substring("jar:".length(), place.indexOf("!/"))).toURL();
    } catch (URISyntaxException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    application.close();
  }

  /** The instance of a Kotlin or Scala object, which is a static field of some class. */
  private Object object(String holder, String field) throws ReflectiveOperationException {
    return application.loadClass(holder).getField(field).get(null);
  }

  private static @Nullable Object call(Object on, String method, Object... arguments)
      throws Throwable {
    return callOf(on.getClass(), on, method, arguments);
  }

  private static @Nullable Object callOf(
      Class<?> type, @Nullable Object on, String name, @Nullable Object... arguments)
      throws Throwable {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && fits(method, arguments)) {
        method.setAccessible(true);
        try {
          return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(type + "#" + name);
  }

  private static boolean fits(Method method, @Nullable Object... arguments) {
    Class<?>[] types = method.getParameterTypes();
    if (types.length != arguments.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      Object argument = arguments[i];
      if (argument != null && !types[i].isPrimitive() && !types[i].isInstance(argument)) {
        return false;
      }
    }
    return true;
  }

  private static void assertRefused(WeavingFixture trial, Body body) throws Throwable {
    assertThatThrownBy(body::run).isInstanceOf(NotLeaderException.class);
    trial.open();
    body.run();
    assertThat(trial.coverage().wovenMethods()).isPositive();
    assertThat(trial.failures).isEmpty();
  }

  /** A call that is refused on a shut gate and runs on an open one. */
  private interface Body {
    void run() throws Throwable;
  }

  @Test
  void methodOfAKotlinCompanionIsGated() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(RANDOM + "$Default#nextInt()")) {
      Object companion = object(RANDOM, "Default");

      assertRefused(trial, () -> call(companion, "nextInt"));
    }
  }

  @Test
  void kotlinFunctionIsGatedForCallsWithDefaultArguments() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(RANDOM + "+#nextBytes(byte[],int,int)")) {
      Object companion = object(RANDOM, "Default");
      Class<?> type = application.loadClass(RANDOM);

      assertRefused(
          trial,
          () -> callOf(type, null, "nextBytes$default", companion, new byte[4], 0, 0, 6, null));
    }
  }

  @Test
  void kotlinDefaultArgumentMethodCanBeNamedToo() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(RANDOM + "#nextBytes$default(..)")) {
      Object companion = object(RANDOM, "Default");
      Class<?> type = application.loadClass(RANDOM);

      assertRefused(
          trial,
          () -> callOf(type, null, "nextBytes$default", companion, new byte[4], 0, 0, 6, null));
    }
  }

  @Test
  void suspendingFunctionIsGatedAtItsCall() throws Throwable {
    String match =
        "kotlin.sequences.SequenceScope#yieldAll(java.lang.Iterable,kotlin.coroutines.Continuation)";
    try (WeavingFixture trial = WeavingFixture.of(match)) {
      assertRefused(trial, () -> assertThat(firstOfASequence()).isEqualTo("first"));
    }
  }

  /** {@code sequence { yieldAll(listOf("first")) }.first()}. */
  private Object firstOfASequence() throws Throwable {
    Class<?> function = application.loadClass("kotlin.jvm.functions.Function2");
    Class<?> scope = application.loadClass("kotlin.sequences.SequenceScope");
    Object block =
        Proxy.newProxyInstance(
            application,
            new Class<?>[] {function},
            (proxy, method, arguments) ->
                callOf(scope, arguments[0], "yieldAll", List.of("first"), arguments[1]));
    Class<?> sequences = application.loadClass("kotlin.sequences.SequencesKt");
    Object iterator = Objects.requireNonNull(callOf(sequences, null, "iterator", block));
    return ((Iterator<?>) iterator).next();
  }

  @Test
  void methodOfAScalaObjectIsGated() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(LIST + "$#from(..)")) {
      Object companion = object(LIST + "$", "MODULE$");
      Object nil = object("scala.collection.immutable.Nil$", "MODULE$");

      assertRefused(trial, () -> call(companion, "from", nil));
    }
  }

  @Test
  void scalaMethodWithASymbolicNameIsGated() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(LIST + "#$colon$colon(..)")) {
      Object nil = object("scala.collection.immutable.Nil$", "MODULE$");

      assertRefused(trial, () -> call(nil, "$colon$colon", "head"));
    }
  }

  @Test
  void bodyThatAScalaTraitGivesToItsClassesIsGated() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of("scala.collection.IterableOnceOps#mkString(java.lang.String)")) {
      Object nil = object("scala.collection.immutable.Nil$", "MODULE$");

      assertRefused(trial, () -> call(nil, "mkString", ","));
    }
  }

  @Test
  void scalaTraitIsGatedInAllClassesThatMixItIn() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of("scala.collection.SeqOps+#$plus$colon(..)")) {
      Object nil = object("scala.collection.immutable.Nil$", "MODULE$");

      assertRefused(trial, () -> call(nil, "$plus$colon", "head"));
    }
  }
}
