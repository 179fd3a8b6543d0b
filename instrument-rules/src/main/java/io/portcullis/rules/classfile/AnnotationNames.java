package io.portcullis.rules.classfile;

import io.portcullis.rules.match.LeaderOnlyMark;
import java.util.Set;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Collects the name of an annotation, and of those that it contains as its {@code value}. */
final class AnnotationNames extends AnnotationVisitor {
  private static final String CONTAINED = "value";

  private final String type;
  private final Set<String> names;

  AnnotationNames(String descriptor, Set<String> names) {
    super(Asm.API);
    this.type = Type.getType(descriptor).getClassName();
    this.names = names;
    names.add(type);
  }

  @Override
  public void visit(String name, Object value) {
    if (LeaderOnlyMark.isElection(type, name)) {
      names.add(LeaderOnlyMark.of(String.valueOf(value)));
    }
  }

  @Override
  public @Nullable AnnotationVisitor visitArray(String name) {
    if (!name.equals(CONTAINED)) {
      return null;
    }
    return new AnnotationVisitor(Asm.API) {
      @Override
      public @Nullable AnnotationVisitor visitAnnotation(@Nullable String none, String descriptor) {
        names.add(Type.getType(descriptor).getClassName());
        return null;
      }
    };
  }
}
