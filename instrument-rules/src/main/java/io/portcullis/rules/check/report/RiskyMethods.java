package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.Hierarchy;
import io.portcullis.rules.check.classpath.ListFile;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.plan.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Methods whose callers take an exception badly, from the list in {@code traps.txt}. */
final class RiskyMethods {
  static final RiskyMethods KNOWN = read();

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

  private RiskyMethods(List<Trap> traps) {
    this.traps = List.copyOf(traps);
  }

  /** Warnings for those of a rule's methods that are in a trap. */
  List<String> in(Rule rule, List<GatedMethod> gated, Hierarchy hierarchy) {
    Map<Trap, List<String>> caught = new LinkedHashMap<>();
    for (GatedMethod method : gated) {
      Trap trap = rule.action().mayThrow(method.method()) ? first(method, hierarchy) : null;
      if (trap != null) {
        caught.computeIfAbsent(trap, key -> new ArrayList<>()).add(method.toString());
      }
    }
    List<String> warnings = new ArrayList<>();
    caught.forEach(
        (trap, methods) -> warnings.addAll(GroupedWarnings.by(": " + trap.text(), methods)));
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

  private static RiskyMethods read() {
    return new RiskyMethods(
        ListFile.lines(RiskyMethods.class, "traps.txt").stream().map(RiskyMethods::trap).toList());
  }

  private static Trap trap(String line) {
    String[] halves = line.split(": ", 2);
    String[] words = halves[0].split(" ", 2);
    String[] name = words[1].split("#", 2);
    return new Trap(words[0], name[0], name.length == 2 ? name[1] : "", halves[1]);
  }
}
