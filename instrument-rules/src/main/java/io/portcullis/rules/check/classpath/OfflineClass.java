package io.portcullis.rules.check.classpath;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.List;
import java.util.Map;

/**
 * One class of the class path.
 *
 * @param place where its file is
 * @param own whether it is the application's own, and no library's
 * @param source the name of its source file; empty if it is not known
 * @param calls of its methods by name and descriptor, in the order of the code; empty unless it is
 *     the application's own
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
   * A call in a method's code, or a reference to a method from which a lambda is made.
   *
   * @param owner binary name of the type it is called on
   * @param special whether it calls just this method and no override of it
   * @param line the line of the source, or 0
   */
  public record MethodCall(
      String owner, String name, String descriptor, boolean special, int line) {
    /** Name and descriptor. */
    public String key() {
      return name + descriptor;
    }
  }
}
