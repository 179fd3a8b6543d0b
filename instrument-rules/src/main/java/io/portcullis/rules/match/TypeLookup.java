package io.portcullis.rules.match;

import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import org.jspecify.annotations.Nullable;

/** Looks up types by binary name, as the class being matched would find them. */
public interface TypeLookup {
  /** Returns the header of a type; null if the type is unknown. */
  @Nullable ClassHeader head(String name);

  /** Returns the type with its methods; null if they are unknown. */
  @Nullable ClassShape shape(String name);
}
