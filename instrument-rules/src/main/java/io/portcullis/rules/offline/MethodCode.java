package io.portcullis.rules.offline;

import java.util.List;

/**
 * What is known of a method beyond its shape.
 *
 * @param annotations binary names, those that are only in class files included
 * @param calls in the order of the code
 */
public record MethodCode(List<String> annotations, List<Call> calls) {
  static final MethodCode NONE = new MethodCode(List.of(), List.of());

  public MethodCode {
    annotations = List.copyOf(annotations);
    calls = List.copyOf(calls);
  }
}
