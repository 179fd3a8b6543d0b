package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import io.portcullis.rules.match.MethodShape;
import java.util.List;

/** A method of the application's own with a body. Two are the same only if they are one object. */
final class OwnMethod {
  private final OfflineClass type;
  private final MethodShape shape;

  OwnMethod(OfflineClass type, MethodShape shape) {
    this.type = type;
    this.shape = shape;
  }

  OfflineClass type() {
    return type;
  }

  MethodShape shape() {
    return shape;
  }

  List<MethodCall> calls() {
    return type.calls(shape);
  }

  /** Name and descriptor. */
  String key() {
    return shape.name() + shape.descriptor();
  }

  /** Where in the source, as far as it is known. */
  String at(MethodCall call) {
    String source = type.source().isEmpty() ? "source unknown" : type.source();
    return call.line() == 0 ? source : source + ":" + call.line();
  }

  @Override
  public String toString() {
    return type.name() + "#" + shape.signature();
  }
}
