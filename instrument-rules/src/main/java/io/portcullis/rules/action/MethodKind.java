package io.portcullis.rules.action;

import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;
import java.util.Set;

/** What actions ask of a method before they say how it is woven. */
final class MethodKind {
  private static final Set<String> FUTURES =
      Set.of("java.util.concurrent.CompletionStage", "java.util.concurrent.CompletableFuture");

  private MethodKind() {}

  static boolean isConstructor(MethodShape method) {
    return method.name().equals("<init>");
  }

  /** By its declared type: what else it may return is a value like any other. */
  static boolean answersByFuture(MethodShape method) {
    return FUTURES.contains(method.returnType());
  }

  static boolean isVoid(MethodShape method) {
    return method.returnType().equals("void");
  }

  static boolean isSynchronized(MethodShape method) {
    return Modifier.isSynchronized(method.access());
  }
}
