package io.portcullis.rules.action;

import io.portcullis.rules.action.RefusedResult.Empty;
import io.portcullis.rules.action.RefusedResult.EmptyArray;
import io.portcullis.rules.match.MethodShape;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is empty of a method's type. Collections can't be changed. */
final class EmptyValue {
  private static final Map<String, Empty> BY_TYPE = byType();

  private EmptyValue() {}

  /** Null if nothing of that type is known to be empty. */
  static @Nullable RefusedResult of(MethodShape method) {
    String descriptor = method.descriptor();
    String returned = descriptor.substring(descriptor.indexOf(')') + 1);
    return returned.startsWith("[")
        ? new EmptyArray(returned.substring(1))
        : BY_TYPE.get(method.returnType());
  }

  private static Map<String, Empty> byType() {
    Map<String, Empty> types = new HashMap<>();
    for (String name : new String[] {"Optional", "OptionalInt", "OptionalLong", "OptionalDouble"}) {
      types.put("java.util." + name, ofItself("java/util/" + name, false));
    }
    for (String name : new String[] {"Stream", "IntStream", "LongStream", "DoubleStream"}) {
      types.put("java.util.stream." + name, ofItself("java/util/stream/" + name, true));
    }
    Empty list = ofCollections("emptyList", "List");
    types.put("java.util.List", list);
    types.put("java.util.Collection", list);
    types.put("java.lang.Iterable", list);
    types.put("java.util.Set", ofCollections("emptySet", "Set"));
    types.put("java.util.Map", ofCollections("emptyMap", "Map"));
    types.put("java.util.Iterator", ofCollections("emptyIterator", "Iterator"));
    return Map.copyOf(types);
  }

  private static Empty ofItself(String type, boolean isInterface) {
    return new Empty(type, "empty", type, isInterface);
  }

  private static Empty ofCollections(String method, String type) {
    return new Empty("java/util/Collections", method, "java/util/" + type, false);
  }
}
