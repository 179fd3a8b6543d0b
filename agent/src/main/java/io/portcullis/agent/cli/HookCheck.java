package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.EffectiveValue;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.HookMethod;
import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.EditDistance;
import io.portcullis.rules.match.MethodShape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Looks for the methods that a configuration's hooks name on a class path. */
final class HookCheck {
  private static final int MAX_NAMED = 5;
  private static final int MAX_EDITS = 2;

  private final AgentConfig config;
  private final ClassPath classPath;
  private final List<String> problems = new ArrayList<>();

  HookCheck(AgentConfig config, ClassPath classPath) {
    this.config = config;
    this.classPath = classPath;
  }

  /** What could not be called, each with its place. */
  List<String> problems() {
    for (ElectionSection election : config.elections()) {
      String key = "portcullis.elections." + election.name() + ".hooks.";
      election.hooks().started().forEach(hook -> look(key + "started", hook));
      election.hooks().stopped().forEach(hook -> look(key + "stopped", hook));
      election.hooks().newLeader().forEach(hook -> look(key + "new-leader", hook));
    }
    return problems;
  }

  private void look(String key, HookMethod hook) {
    String problem = problem(hook);
    if (!problem.isEmpty()) {
      String place =
          config.effective().stream()
              .filter(value -> value.key().startsWith(key))
              .map(EffectiveValue::place)
              .map(Object::toString)
              .findFirst()
              .orElse(String.valueOf(config.file()));
      problems.add("%s: %s: %s can't be called: %s".formatted(place, key, hook, problem));
    }
  }

  /** Empty if there is none. */
  private String problem(HookMethod hook) {
    ClassShape shape = classPath.read(hook.type());
    if (shape == null) {
      return "no such class is on the class path"
          + similar(
              classPath.classes().stream().map(OfflineClass::name).toList(),
              name -> isLike(simple(name), simple(hook.type())));
    }
    List<MethodShape> named =
        shape.methods().stream().filter(method -> method.name().equals(hook.name())).toList();
    for (MethodShape method : named) {
      if (method.parameterTypes().equals(hook.parameters())) {
        return method.isStatic()
            ? ""
            : "the method is not static, and there is no object to call it on";
      }
    }
    if (!named.isEmpty()) {
      return "the class has by that name "
          + named.stream().map(MethodShape::signature).collect(Collectors.joining(", "));
    }
    return "the class declares no such method"
        + similar(
            shape.methods().stream()
                .filter(method -> isLike(method.name(), hook.name()))
                .map(MethodShape::signature)
                .toList(),
            name -> true);
  }

  private static String similar(List<String> names, Predicate<String> wanted) {
    String found = names.stream().filter(wanted).limit(MAX_NAMED).collect(Collectors.joining(", "));
    return found.isEmpty() ? "" : "; similar: " + found;
  }

  private static boolean isLike(String name, String other) {
    return EditDistance.edits(name, other) <= Math.min(MAX_EDITS, other.length() / 2);
  }

  private static String simple(String binaryName) {
    return binaryName.substring(binaryName.lastIndexOf('.') + 1);
  }
}
