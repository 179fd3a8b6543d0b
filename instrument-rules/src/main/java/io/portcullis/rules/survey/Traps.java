package io.portcullis.rules.survey;

import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.offline.Hierarchy;
import io.portcullis.rules.offline.ListFile;
import io.portcullis.rules.plan.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Methods whose callers take an exception badly, from the list in {@code traps.txt}. */
final class Traps {
  static final Traps KNOWN = read();

  /** One line of the list. */
  private record Trap(String kind, String type, String method, String text) {
    boolean catches(GatedMethod gated, Hierarchy hierarchy) {
      MethodShape shape = gated.method();
      return switch (kind) {
        case "annotated" -> shape.annotations().contains(type);
        case "returns" -> shape.returnType().equals(type);
        case "takes" -> shape.parameterTypes().contains(type);
        default ->
            shape.name().equals(method)
                && hierarchy.withSupertypes(gated.type().name()).contains(type)
                && hierarchy.mayDeclare(type, shape);
      };
    }
  }

  private final List<Trap> traps;

  private Traps(List<Trap> traps) {
    this.traps = List.copyOf(traps);
  }

  /** Warnings for those of a rule's methods that are in a trap. */
  List<String> in(Rule rule, List<GatedMethod> gated, Hierarchy hierarchy) {
    if (!rule.action().mayThrow()) {
      return List.of();
    }
    Map<Trap, List<String>> caught = new LinkedHashMap<>();
    for (GatedMethod method : gated) {
      Trap trap = first(method, hierarchy);
      if (trap != null) {
        caught.computeIfAbsent(trap, key -> new ArrayList<>()).add(method.toString());
      }
    }
    List<String> warnings = new ArrayList<>();
    caught.forEach((trap, methods) -> warnings.addAll(Grouped.by(": " + trap.text(), methods)));
    return warnings;
  }

  /** The list goes from the particular to the general, so the first says most. */
  private @Nullable Trap first(GatedMethod method, Hierarchy hierarchy) {
    for (Trap trap : traps) {
      if (trap.catches(method, hierarchy)) {
        return trap;
      }
    }
    return null;
  }

  private static Traps read() {
    return new Traps(ListFile.lines(Traps.class, "traps.txt").stream().map(Traps::trap).toList());
  }

  private static Trap trap(String line) {
    String[] halves = line.split(": ", 2);
    String[] words = halves[0].split(" ", 2);
    String[] name = words[1].split("#", 2);
    return new Trap(words[0], name[0], name.length == 2 ? name[1] : "", halves[1]);
  }
}
