package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Gate;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.plan.Rule;
import java.lang.reflect.Constructor;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OsgiLoaderTransformerTest {
  private static final String FELIX =
      "org/apache/felix/framework/BundleWiringImpl$BundleClassLoader";
  private static final String EQUINOX = "org/eclipse/osgi/internal/loader/ModuleClassLoader";

  private final OsgiLoaderTransformer sight = new OsgiLoaderTransformer();

  /** Here the gate is on the class path, not on the bootstrap loader, so it must not be found. */
  @ParameterizedTest
  @ValueSource(strings = {FELIX, EQUINOX})
  void bundleLoaderFindsTheGateOnlyOnTheBootstrapLoader(String loader)
      throws ReflectiveOperationException {
    ClassLoader bundle = opened(loader);

    assertThat(new LoopingClassLoader().loadClass(Gate.class.getName())).isEqualTo(Gate.class);
    assertThatThrownBy(() -> bundle.loadClass(Gate.class.getName()))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void otherClassesAreLoadedAsBefore() throws ReflectiveOperationException {
    ClassLoader bundle = opened(FELIX);

    assertThat(bundle.loadClass("java.lang.String")).isEqualTo(String.class);
    assertThat(bundle.loadClass(Rule.class.getName())).isEqualTo(Rule.class);
    assertThat(bundle.loadClass("io.portcullis.gateway.Other")).isEqualTo(Object.class);
    assertThatThrownBy(() -> bundle.loadClass("com.acme.Missing"))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void otherClassesAreNotTransformed() throws ClassNotFoundException {
    byte[] classFile = SampleClassLoader.classFile(LoopingClassLoader.class.getName());

    assertThat(sight.transform(null, null, "com/acme/Loader", null, null, classFile)).isNull();
    assertThat(sight.transform(null, null, null, null, null, classFile)).isNull();
  }

  @Test
  void unreadableLoaderIsNotChanged() {
    assertThat(sight.transform(null, null, FELIX, null, null, new byte[] {1, 2, 3})).isNull();
  }

  /** The sample below under the framework's class name. */
  private ClassLoader opened(String name) throws ReflectiveOperationException {
    byte[] classFile = SampleClassLoader.classFile(LoopingClassLoader.class.getName());
    byte[] changed =
        Objects.requireNonNull(sight.transform(null, null, name, null, null, classFile));
    Constructor<?> constructor =
        new SampleClassLoader()
            .define(LoopingClassLoader.class.getName(), changed)
            .getDeclaredConstructor();
    constructor.setAccessible(true);
    return (ClassLoader) constructor.newInstance();
  }

  /** Begins with a loop, so that its first instruction is a jump target. */
  static final class LoopingClassLoader extends ClassLoader {
    LoopingClassLoader() {
      super(LoopingClassLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      do {
        if (name.startsWith("io.portcullis.gateway.")) {
          return Object.class;
        }
      } while (resolve && name.isEmpty());
      return super.loadClass(name, resolve);
    }
  }
}
