package io.portcullis.rules.filter;

import io.portcullis.rules.classfile.ClassFileTypes;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.filter.KnownTypes.KnownType;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import org.jspecify.annotations.Nullable;

/** Looks up types as a loader sees them while it is about to define a class. */
public final class LoaderTypes implements TypeLookup {
  private final ClassLoader loader;
  private final KnownTypes known;
  private @Nullable ClassFileTypes files;

  public LoaderTypes(ClassLoader loader, KnownTypes known) {
    this.loader = loader;
    this.known = known;
  }

  @Override
  public @Nullable ClassHeader head(String name) {
    KnownType type = known.find(loader, name);
    return type == null ? null : type.head;
  }

  @Override
  public @Nullable ClassShape shape(String name) {
    ClassFileTypes found = files;
    if (found == null) {
      found = new ClassFileTypes(ClassShapeReader.visibleTo(loader));
      files = found;
    }
    return found.shape(name);
  }
}
