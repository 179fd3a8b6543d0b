package io.portcullis.rules.filter;

import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.match.ClassHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A type as one loader sees it, and the rules that it concerns, worked out once. Threads that work
 * it out at the same time come to the same result.
 */
public final class KnownType {
  final @Nullable ClassHeader head;

  final boolean passed;

  private volatile boolean verified;

  /** Rules that mean its subtypes. */
  volatile @Nullable List<InstalledRule> ofSubtypes;

  /** Rules by annotation that mean its subclasses for what they inherit. */
  volatile @Nullable List<InstalledRule> ofSubclasses;

  /** Of an annotation type: rules that mean what carries it. */
  volatile @Nullable List<InstalledRule> ofCarriers;

  KnownType(@Nullable ClassHeader head, boolean passed) {
    this.head = head;
    this.passed = passed;
  }

  /** Null if the loader has no class file for it. */
  public @Nullable ClassHeader head() {
    return head;
  }

  /** Whether it is a class that this loader defined before the weaver's eyes. */
  public boolean hasPassed() {
    return passed;
  }

  /** Of a class: whether it has been looked at by its real supertypes. */
  public boolean isVerified() {
    return verified;
  }

  /** It has been looked at by its real supertypes. */
  public void verified() {
    verified = true;
  }
}
