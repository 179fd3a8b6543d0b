package io.portcullis.rules;

import java.util.Set;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Collects the name of an annotation, and of those that it contains as its {@code value}. */
final class AnnotationNames extends AnnotationVisitor {
  private static final String CONTAINED = "value";

  private final Set<String> names;

  AnnotationNames(String descriptor, Set<String> names) {
    super(OpenedClassReader.ASM_API);
    this.names = names;
    names.add(Type.getType(descriptor).getClassName());
  }

  @Override
  public @Nullable AnnotationVisitor visitArray(String name) {
    if (!name.equals(CONTAINED)) {
      return null;
    }
    return new AnnotationVisitor(OpenedClassReader.ASM_API) {
      @Override
      public @Nullable AnnotationVisitor visitAnnotation(@Nullable String none, String descriptor) {
        names.add(Type.getType(descriptor).getClassName());
        return null;
      }
    };
  }
}
