package io.portcullis.rules;

import io.portcullis.rules.match.ClassHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A type as one loader sees it, and the rules that it concerns, worked out once. Threads that work
 * it out at the same time come to the same result.
 */
final class KnownType {
  /** Null if the loader has no class file for it. */
  final @Nullable ClassHead head;

  /** Whether it is a class that this loader defined before the weaver's eyes. */
  final boolean passed;

  /** Of a class: whether it has been looked at by its real supertypes. */
  volatile boolean verified;

  /** Rules that mean its subtypes. */
  volatile @Nullable List<InstalledRule> ofSubtypes;

  /** Rules by annotation that mean its subclasses for what they inherit. */
  volatile @Nullable List<InstalledRule> ofSubclasses;

  /** Of an annotation type: rules that mean what carries it. */
  volatile @Nullable List<InstalledRule> ofCarriers;

  KnownType(@Nullable ClassHead head, boolean passed) {
    this.head = head;
    this.passed = passed;
  }
}
