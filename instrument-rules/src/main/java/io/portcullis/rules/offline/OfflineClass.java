package io.portcullis.rules.offline;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.Map;

/**
 * One class of the class path.
 *
 * @param place where its file is
 * @param own whether it is the application's own, and no library's
 * @param source the name of its source file; empty if it is not known
 * @param code by name and descriptor; empty unless it is the application's own
 */
public record OfflineClass(
    ClassShape shape, String place, boolean own, String source, Map<String, MethodCode> code) {
  public OfflineClass {
    code = Map.copyOf(code);
  }

  public String name() {
    return shape.name();
  }

  public MethodCode code(MethodShape method) {
    return code.getOrDefault(method.name() + method.descriptor(), MethodCode.NONE);
  }
}
