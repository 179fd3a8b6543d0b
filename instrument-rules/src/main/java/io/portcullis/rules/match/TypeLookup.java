package io.portcullis.rules.match;

import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import org.jspecify.annotations.Nullable;

/** Looks up types by binary name, as the class being matched would find them. */
public interface TypeLookup {
  /** Null if nothing is known of it. */
  @Nullable ClassHeader head(String name);

  /** The type with its methods; null if they are not known. */
  @Nullable ClassShape shape(String name);
}
