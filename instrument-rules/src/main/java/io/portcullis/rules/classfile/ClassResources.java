package io.portcullis.rules.classfile;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Class files as resources of a loader. Classes of the JDK are asked of the JDK alone, so that no
 * code of the application runs for them. No lock of ours is held while a loader is asked.
 */
public final class ClassResources {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private ClassResources() {}

  /**
   * Null if the loader finds none.
   *
   * @throws IOException also for whatever else goes wrong in the loader: its trouble is none of
   *     ours. Except where memory or stack ran out: in that state nothing can be found out at all.
   */
  public static byte @Nullable [] find(ClassLoader loader, String binaryName) throws IOException {
    ClassLoader asked = isOfTheJdk(binaryName) ? PLATFORM : loader;
    String file = binaryName.replace('.', '/') + ".class";
    try (@Nullable InputStream in = asked.getResourceAsStream(file)) {
      return in == null ? null : in.readAllBytes();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new IOException("%s could not look for it: %s".formatted(asked.getClass(), e), e);
    }
  }

  /** Names that the JVM lets no loader but the JDK's own use, or that nobody else has. */
  public static boolean isOfTheJdk(String binaryName) {
    return binaryName.startsWith("java.") || binaryName.startsWith("jdk.internal.");
  }
}
