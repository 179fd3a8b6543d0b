package io.portcullis.rules.filter;

import io.portcullis.rules.classfile.ClassShapes;
import io.portcullis.rules.classfile.FoundTypes;
import io.portcullis.rules.match.ClassHead;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.Types;
import org.jspecify.annotations.Nullable;

/** Types as a loader sees them, while it is about to define a class. */
public final class SeenTypes implements Types {
  private final ClassLoader loader;
  private final KnownTypes known;
  private @Nullable FoundTypes files;

  public SeenTypes(ClassLoader loader, KnownTypes known) {
    this.loader = loader;
    this.known = known;
  }

  @Override
  public @Nullable ClassHead head(String name) {
    KnownType type = known.find(loader, name);
    return type == null ? null : type.head;
  }

  @Override
  public @Nullable ClassShape shape(String name) {
    FoundTypes found = files;
    if (found == null) {
      found = new FoundTypes(ClassShapes.visibleTo(loader));
      files = found;
    }
    return found.shape(name);
  }
}
