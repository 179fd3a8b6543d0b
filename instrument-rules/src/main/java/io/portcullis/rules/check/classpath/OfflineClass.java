package io.portcullis.rules.check.classpath;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.List;
import java.util.Map;

/**
 * A class on the analysed class path.
 *
 * @param place the archive or directory that contains the class file
 * @param own whether it belongs to the application rather than to a library
 * @param source name of its source file; empty if unknown
 * @param calls calls by method name and descriptor, in code order; empty for library classes
 */
public record OfflineClass(
    ClassShape shape,
    String place,
    boolean own,
    String source,
    Map<String, List<MethodCall>> calls) {
  public OfflineClass {
    calls = Map.copyOf(calls);
  }

  public String name() {
    return shape.name();
  }

  public List<MethodCall> calls(MethodShape method) {
    return calls.getOrDefault(method.name() + method.descriptor(), List.of());
  }

  /**
   * A method call, or a method handle from which a lambda is created.
   *
   * @param owner binary name of the type on which the method is called
   * @param special whether it calls exactly this method and never an override of it
   * @param deferred whether the code only creates a lambda or method reference that calls it
   * @param line source line, 0 if unknown
   */
  public record MethodCall(
      String owner, String name, String descriptor, boolean special, boolean deferred, int line) {
    /** Method name and descriptor. */
    public String key() {
      return name + descriptor;
    }
  }
}
