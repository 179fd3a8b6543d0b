package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Classes without a class file that can be found, and their subtypes. */
@Tag("slow")
class GeneratedTypesTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private static final String STORE = SampleClassLoader.SAMPLES + "StoreHierarchy$Store";
  private static final String ORDERS = SampleClassLoader.SAMPLES + "StoreHierarchy$OrderStore";

  @Test
  void dynamicProxyIsGatedThroughItsInterface() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#save(..)")) {
      Class<?> store = new SampleClassLoader().loadClass(STORE);
      Object proxy =
          Proxy.newProxyInstance(
              store.getClassLoader(), new Class<?>[] {store}, (self, method, a) -> "proxied");

      assertThat(proxy.getClass().getModule()).isNotEqualTo(store.getModule());
      assertRefused(() -> invoke(store.getMethod("save", Object.class), proxy, "it"));

      trial.open();
      assertThat(invoke(store.getMethod("save", Object.class), proxy, "it")).isEqualTo("proxied");
    }
  }

  @Test
  void generatedSubclassAndItsSubclassAreGated() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#shut()")) {
      Class<?> orders = new SampleClassLoader().loadClass(ORDERS);
      Class<?> child = define(orders, "Child", orders.getClassLoader());
      Class<?> grandchild = define(child, "Grandchild", orders.getClassLoader());

      for (Class<?> type : new Class<?>[] {child, grandchild}) {
        assertRefused(() -> invoke(type.getMethod("shut"), instance(type)));
      }

      trial.open();
      assertThat(invoke(grandchild.getMethod("shut"), instance(grandchild)))
          .isEqualTo("Grandchild");
    }
  }

  @Test
  void generatedParentOfAnotherLoaderIsRemembered() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#shut()")) {
      Class<?> orders = new SampleClassLoader().loadClass(ORDERS);
      Class<?> parent = define(orders, "Parent", orders.getClassLoader());
      Class<?> child = define(parent, "FarChild", new ClassLoader(orders.getClassLoader()) {});

      assertRefused(() -> invoke(child.getMethod("shut"), instance(child)));
      assertThat(trial.coverage().hint()).isEmpty();
    }
  }

  /** Only the JVM knows its supertypes: it runs ungated until the next scan. */
  @Test
  void childOfAnUnknownParentIsGatedAtTheNextScanAndReported() throws Throwable {
    Class<?> orders = new SampleClassLoader().loadClass(ORDERS);
    Class<?> parent = define(orders, "Unseen", orders.getClassLoader());
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#shut()")) {
      Class<?> child = define(parent, "Late", new ClassLoader(orders.getClassLoader()) {});

      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertRefused(() -> invoke(child.getMethod("shut"), instance(child)));
      assertThat(trial.coverage().hint()).contains(child.getName() + " is gated late");
      assertSettles(trial);
    }
  }

  @Test
  void missedAnnotatedClassIsWovenLater() throws Throwable {
    String rule = "@%1$sMarked$Job %1$s**#*(..)".formatted(SampleClassLoader.SAMPLES);
    try (WeavingFixture trial = WeavingFixture.of(rule)) {
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);
      WeavingFixture.INSTRUMENTATION.removeTransformer(trial.weaver);
      Sample marked = new SampleClassLoader().sample("Marked");
      assertThat(marked.call("run", "meta")).isEqualTo("meta");
      assertThat(marked.call("run", "inherited")).isEqualTo("inherited");
      WeavingFixture.INSTRUMENTATION.addTransformer(trial.weaver, true);

      assertThat(trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION)).isPositive();

      assertThatThrownBy(() -> marked.call("run", "meta")).isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> marked.call("run", "inherited"))
          .isInstanceOf(NotLeaderException.class);
      assertSettles(trial);
    }
  }

  @Test
  void throwingClassLoaderDoesNotPreventLoading() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#shut()", "@com.acme.Job **#*(..)")) {
      Class<?> orders = new SampleClassLoader().loadClass(ORDERS);
      ClassLoader moody =
          new ClassLoader(orders.getClassLoader()) {
            @Override
            public java.net.URL getResource(String name) {
              throw new IllegalStateException("ask me later");
            }
          };

      Class<?> parent = define(orders, "Even", orders.getClassLoader());
      Class<?> child = define(parent, "Moody", moody);

      assertRefused(() -> invoke(child.getMethod("shut"), instance(child)));
      assertThat(trial.failures).isEmpty();
    }
  }

  @Test
  void knownTypesDoNotKeepALoaderFromBeingCollected() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#shut()", "@com.acme.Job **#*(..)")) {
      WeakReference<ClassLoader> loader =
          new WeakReference<>(new SampleClassLoader().loadClass(ORDERS).getClassLoader());
      assertThat(trial.coverage().wovenMethods()).isPositive();

      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                System.gc();
                assertThat(loader.get()).isNull();
              });
    }
  }

  /** Byte Buddy's own classes are scanned here too, and a scan may load more of them. */
  private static void assertSettles(WeavingFixture trial) {
    int looks = 0;
    while (trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION) > 0) {
      assertThat(++looks).isLessThan(10);
    }
  }

  private static Class<?> define(Class<?> parent, String name, ClassLoader loader) {
    try (DynamicType.Unloaded<?> made =
        new ByteBuddy()
            .subclass(parent)
            .name(SampleClassLoader.SAMPLES + "Made" + name)
            .method(ElementMatchers.named("shut"))
            .intercept(FixedValue.value(name))
            .make()) {
      return made.load(loader, ClassLoadingStrategy.Default.INJECTION).getLoaded();
    }
  }

  private static Object instance(Class<?> type) throws ReflectiveOperationException {
    var constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private static @Nullable Object invoke(Method method, Object target, Object... arguments)
      throws Throwable {
    method.setAccessible(true);
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static void assertRefused(ThrowingCall call) {
    assertThatThrownBy(call::call).isInstanceOf(NotLeaderException.class);
  }

  private interface ThrowingCall {
    @Nullable Object call() throws Throwable;
  }
}
