package io.portcullis.rules.classfile;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds class files as resources of a loader. Classes of the JDK are looked up in the JDK alone, so
 * no code of the application runs for them. No lock of the agent is held during a look-up.
 */
public final class ClassResources {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private ClassResources() {}

  /**
   * Returns null if the loader finds none.
   *
   * @throws IOException also for any other failure of the loader, because errors in its code must
   *     not break weaving. Except a {@link VirtualMachineError}, which is rethrown: when memory or
   *     stack has run out, no result can be trusted.
   */
  public static byte @Nullable [] find(ClassLoader loader, String binaryName) throws IOException {
    ClassLoader asked = isOfTheJdk(binaryName) ? PLATFORM : loader;
    String file = binaryName.replace('.', '/') + ".class";
    try (@Nullable InputStream in = asked.getResourceAsStream(file)) {
      return in == null ? null : in.readAllBytes();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new IOException("look-up by %s failed: %s".formatted(asked.getClass(), e), e);
    }
  }

  /** Names that the JVM reserves for the JDK's own loaders, or that only the JDK uses. */
  public static boolean isOfTheJdk(String binaryName) {
    return binaryName.startsWith("java.") || binaryName.startsWith("jdk.internal.");
  }
}
