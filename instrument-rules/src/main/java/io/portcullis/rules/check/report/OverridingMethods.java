package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.Hierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.match.MethodShape;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds bodies below a gated one that run in its stead, past the gate. */
final class OverridingMethods {
  private final Hierarchy hierarchy;
  private final GatedMethods gates;

  OverridingMethods(Hierarchy hierarchy, GatedMethods gates) {
    this.hierarchy = hierarchy;
    this.gates = gates;
  }

  List<String> of(List<GatedMethod> gated) {
    Map<String, Collection<OfflineClass>> below = new HashMap<>();
    Map<String, String> ungated = new LinkedHashMap<>();
    for (GatedMethod method : gated) {
      if (method.canBeOverridden()) {
        Collection<OfflineClass> subtypes =
            below.computeIfAbsent(method.type().name(), hierarchy::subtypes);
        subtypes.forEach(subtype -> look(method, subtype, ungated));
      }
    }
    return GroupedWarnings.by("", List.copyOf(ungated.values()));
  }

  private void look(GatedMethod gated, OfflineClass subtype, Map<String, String> ungated) {
    for (MethodShape method : subtype.shape().methods()) {
      String key = method.name() + method.descriptor();
      if (method.hasBody() && key.equals(gated.key()) && !gates.has(subtype.name(), key)) {
        ungated.putIfAbsent(
            subtype.name() + key,
            "%s#%s overrides %s and is not gated, unless it calls the other: name it too, or write %s+"
                .formatted(subtype.name(), method.signature(), gated, gated.type().name()));
      }
    }
  }
}
