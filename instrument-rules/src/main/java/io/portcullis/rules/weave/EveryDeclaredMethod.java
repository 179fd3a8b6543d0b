package io.portcullis.rules.weave;

import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.pool.TypePool;

/**
 * Offers all methods of the class file to a wrapper. Byte Buddy by itself leaves bridges out, which
 * would then run ungated.
 */
final class EveryDeclaredMethod implements AsmVisitorWrapper {
  private final AsmVisitorWrapper wrapper;

  EveryDeclaredMethod(AsmVisitorWrapper wrapper) {
    this.wrapper = wrapper;
  }

  @Override
  public int mergeWriter(int flags) {
    return wrapper.mergeWriter(flags);
  }

  @Override
  public int mergeReader(int flags) {
    return wrapper.mergeReader(flags);
  }

  @Override
  public ClassVisitor wrap(
      TypeDescription type,
      ClassVisitor visitor,
      Implementation.Context context,
      TypePool pool,
      FieldList<FieldDescription.InDefinedShape> fields,
      MethodList<?> withoutBridges,
      int writerFlags,
      int readerFlags) {
    return wrapper.wrap(
        type, visitor, context, pool, fields, type.getDeclaredMethods(), writerFlags, readerFlags);
  }
}
