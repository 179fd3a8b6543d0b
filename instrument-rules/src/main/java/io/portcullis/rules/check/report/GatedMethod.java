package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;

/** A method that a rule would gate. */
public record GatedMethod(OfflineClass type, MethodShape method) {

  /** Name and descriptor. */
  String key() {
    return method.name() + method.descriptor();
  }

  /** Whether a class below may have a body of its own in its stead. */
  boolean canBeOverridden() {
    return (method.access() & (Modifier.STATIC | Modifier.PRIVATE | Modifier.FINAL)) == 0
        && !method.name().startsWith("<");
  }

  @Override
  public String toString() {
    return type.name() + "#" + method.signature();
  }
}
