package io.portcullis.rules.writes;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.offline.Call;
import io.portcullis.rules.offline.ClassPath;
import io.portcullis.rules.offline.Hierarchy;
import io.portcullis.rules.offline.OfflineClass;
import io.portcullis.rules.survey.Gates;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The calls of write APIs in an application's own classes.
 *
 * @param calls how many there are
 * @param ungated those that no rule keeps a standby from
 */
public record WritePaths(int calls, List<UngatedWrite> ungated) {
  public WritePaths {
    ungated = List.copyOf(ungated);
  }

  /** Looks for them. */
  public static WritePaths of(ClassPath classPath, Hierarchy hierarchy, Gates gates) {
    return new Search(classPath, hierarchy, gates).run();
  }

  private static final class Search {
    private final ClassPath classPath;
    private final Hierarchy hierarchy;
    private final Gates gates;
    private final Dispatch dispatch;

    Search(ClassPath classPath, Hierarchy hierarchy, Gates gates) {
      this.classPath = classPath;
      this.hierarchy = hierarchy;
      this.gates = gates;
      this.dispatch = new Dispatch(classPath, hierarchy, type -> true);
    }

    WritePaths run() {
      List<OwnMethod> methods = ownMethods();
      Reach reach =
          new Reach(methods, new Dispatch(classPath, hierarchy, OfflineClass::own), gates);
      reach.explore(new WaysIn(classPath, hierarchy));
      int calls = 0;
      List<UngatedWrite> ungated = new ArrayList<>();
      for (OwnMethod method : methods) {
        for (Call call : method.calls()) {
          Optional<String> api = api(call);
          if (api.isPresent()) {
            calls++;
            if (reach.isOpen(method) && !isGatedThere(call)) {
              ungated.add(ungated(method, call, api.get(), reach));
            }
          }
        }
      }
      return new WritePaths(calls, ungated);
    }

    private List<OwnMethod> ownMethods() {
      List<OwnMethod> methods = new ArrayList<>();
      for (OfflineClass type : classPath.classes()) {
        if (type.own()) {
          for (MethodShape method : type.shape().methods()) {
            if (method.hasBody()) {
              methods.add(new OwnMethod(type, method));
            }
          }
        }
      }
      return methods;
    }

    private Optional<String> api(Call call) {
      Set<String> types = hierarchy.withSupertypes(call.owner());
      Optional<String> api = WriteCatalogue.KNOWN.api(types, call.name());
      if (api.isPresent()) {
        return landsInOwnCode(call) ? Optional.empty() : api;
      }
      return WriteCatalogue.KNOWN.api(annotations(call));
    }

    /** On a class of the application's the call is followed, and what that does is what counts. */
    private boolean landsInOwnCode(Call call) {
      ClassShape owner = classPath.read(call.owner());
      Set<Dispatch.Body> bodies = dispatch.bodies(call);
      return owner != null
          && !Modifier.isInterface(owner.access())
          && !bodies.isEmpty()
          && bodies.stream().map(Dispatch.Body::className).allMatch(this::isOwn);
    }

    private boolean isOwn(String type) {
      OfflineClass found = classPath.find(type);
      return found != null && found.own();
    }

    private Set<String> annotations(Call call) {
      OfflineClass owner = classPath.find(call.owner());
      return owner == null
          ? Set.of()
          : owner.shape().methods().stream()
              .filter(method -> call.key().equals(method.name() + method.descriptor()))
              .findFirst()
              .map(MethodShape::annotations)
              .orElse(Set.of());
    }

    /** Whether it can come to nothing on the class path but bodies that are gated. */
    private boolean isGatedThere(Call call) {
      Set<Dispatch.Body> bodies = dispatch.bodies(call);
      return !bodies.isEmpty()
          && bodies.stream().allMatch(body -> gates.has(body.className(), body.key()));
    }

    private static UngatedWrite ungated(OwnMethod method, Call call, String api, Reach reach) {
      OwnMethod wayIn = reach.wayIn(method);
      MethodShape called = new MethodShape(0, call.name(), call.descriptor(), List.of());
      return new UngatedWrite(
          method.toString(),
          method.at(call),
          call.owner() + "#" + called.signature(),
          api,
          wayIn == method ? "" : wayIn.toString());
    }
  }
}
