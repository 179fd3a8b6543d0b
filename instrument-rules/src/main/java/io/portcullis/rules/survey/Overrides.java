package io.portcullis.rules.survey;

import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.offline.Hierarchy;
import io.portcullis.rules.offline.OfflineClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds bodies below a gated one that run in its stead, past the gate. */
final class Overrides {
  private final Hierarchy hierarchy;
  private final Gates gates;

  Overrides(Hierarchy hierarchy, Gates gates) {
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
    return Grouped.by("", List.copyOf(ungated.values()));
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
