package io.portcullis.rules.classfile;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Opcodes;

/** ASM as Byte Buddy brings it, without what Byte Buddy has around it. */
public final class Asm {
  public static final int API = Opcodes.ASM9;

  private Asm() {}

  /**
   * A reader.
   *
   * @throws IllegalArgumentException if the class file is of a version not known here
   */
  public static ClassReader reader(byte[] classFile) {
    return new ClassReader(classFile);
  }
}
