package io.portcullis.rules.classfile;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Opcodes;

/** Creates readers of the ASM that Byte Buddy bundles, without Byte Buddy's wrappers. */
public final class Asm {
  public static final int API = Opcodes.ASM9;

  private Asm() {}

  /**
   * Creates a reader.
   *
   * @throws IllegalArgumentException if the class file version is not supported
   */
  public static ClassReader reader(byte[] classFile) {
    return new ClassReader(classFile);
  }
}
