package io.portcullis.rules.match;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a class file says of its class beside the methods: what it is, what it descends from, and
 * which annotations stand in it. Enough to tell whether a pattern can mean the class. All names are
 * binary names.
 *
 * @param superclass null for {@code java.lang.Object} alone
 * @param annotations those on the type, of whatever retention; one that contains others in an array
 *     named {@code value}, as the containers of repeated annotations do, stands beside those others
 * @param methodAnnotations the same of all its methods together
 */
public record ClassHeader(
    int access,
    String name,
    @Nullable String superclass,
    List<String> interfaces,
    Set<String> annotations,
    Set<String> methodAnnotations) {
  private static final int ANNOTATION = 0x2000;

  public ClassHeader {
    interfaces = List.copyOf(interfaces);
    annotations = Set.copyOf(annotations);
    methodAnnotations = Set.copyOf(methodAnnotations);
  }

  public boolean isInterface() {
    return Modifier.isInterface(access);
  }

  /** An interface that declares an annotation. */
  public boolean isAnnotationType() {
    return (access & ANNOTATION) != 0;
  }
}
