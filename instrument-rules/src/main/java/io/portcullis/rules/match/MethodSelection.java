package io.portcullis.rules.match;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which methods of those that a class declares a pattern means.
 *
 * <p>A bridge is left out if it surely leads to another of them, since its calls would be counted
 * twice; a bridge to an inherited method stays, and so does one in doubt. Where subtypes are meant,
 * a bridge and the method it leads to count as one: what implements {@code save(T)} as {@code
 * save(Order)} is gated for those who call it directly too.
 *
 * @param ofType whether a method is one of the type that the pattern names
 * @param carried whether it has the annotation asked for
 */
record MethodSelection(
    MethodPattern pattern,
    boolean subtypes,
    Predicate<MethodShape> ofType,
    Predicate<MethodShape> carried) {

  List<MethodShape> of(List<MethodShape> declared) {
    Set<MethodShape> meant = new LinkedHashSet<>();
    for (MethodShape method : declared) {
      if (pattern.matches(method) && ofType.test(method) && carried.test(method)) {
        meant.add(method);
      }
    }
    if (subtypes) {
      addThroughBridges(declared, meant);
    }
    List<MethodShape> inOrder = new ArrayList<>(declared);
    inOrder.removeIf(
        method -> !meant.contains(method) || meant.stream().anyMatch(method::isBridgeTo));
    return inOrder;
  }

  private void addThroughBridges(List<MethodShape> declared, Set<MethodShape> meant) {
    for (MethodShape bridge : declared) {
      for (MethodShape target : declared) {
        if (bridge.leadsTo(target)
            && (ofType.test(bridge) || ofType.test(target))
            && (pattern.matches(bridge) || pattern.matches(target))
            && (carried.test(bridge) || carried.test(target))) {
          meant.add(bridge);
          meant.add(target);
        }
      }
    }
  }
}
