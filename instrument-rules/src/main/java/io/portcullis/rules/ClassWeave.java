package io.portcullis.rules;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.Meaning;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The weaving of one class by the rules that mean it.
 *
 * <p>Whatever happens, a method that a rule in force means comes out gated or blocked. What can't
 * be known (the class file can't be read, so nobody knows its methods) makes the whole class
 * unloadable.
 */
final class ClassWeave {
  private final Loom loom;
  private final WeaveFailures failures;
  private final ClassLoader loader;
  private final String className;
  private final boolean loaded;
  private final byte[] classFile;
  private final Types types;

  private final List<Gating> gatings = new ArrayList<>();
  private final Map<String, String> blocked = new HashMap<>();
  private final Map<InstalledRule, Meaning> meant = new LinkedHashMap<>();
  private final Map<InstalledRule, String> problems = new LinkedHashMap<>();

  ClassWeave(
      Loom loom,
      WeaveFailures failures,
      ClassLoader loader,
      String className,
      boolean loaded,
      byte[] classFile,
      Types types) {
    this.loom = loom;
    this.failures = failures;
    this.loader = loader;
    this.className = className;
    this.loaded = loaded;
    this.classFile = classFile;
    this.types = types;
  }

  /** The class file to load instead, or null if the class stays as it is. */
  byte @Nullable [] by(List<InstalledRule> rules) {
    ClassShape shape;
    try {
      shape = ClassShapes.read(classFile);
      for (InstalledRule rule : rules) {
        plan(rule, shape);
      }
    } catch (Throwable e) {
      rules.forEach(rule -> fail(rule, "its class file can't be read: " + e, e));
      return enforced(rules) ? Weaver.UNLOADABLE : null;
    }
    byte[] woven = woven(shape);
    meant.forEach(
        (rule, meaning) -> {
          if (!problems.containsKey(rule)) {
            rule.armed(loader, className, gatedBy(rule), meaning.hint());
          }
          tellTrap(rule, meaning);
        });
    return woven;
  }

  private void plan(InstalledRule rule, ClassShape shape) {
    Meaning meaning = rule.rule().match().meaning(shape, types);
    if (!meaning.meansClass()) {
      return;
    }
    boolean failed = failNatives(rule, meaning.methods());
    if (meaning.withBody().isEmpty()) {
      if (!failed) {
        rule.nothingFound(loader, className, meaning.hint());
        tellTrap(rule, meaning);
      }
      return;
    }
    ClassFiles classFiles = ClassShapes.visibleTo(loader);
    Action action = rule.rule().action();
    List<MethodShape> wanted =
        meaning.withBody().stream()
            .filter(method -> action.means(shape, method, classFiles))
            .toList();
    if (wanted.isEmpty()) {
      rule.nothingFound(
          loader, className, "what " + className + " has of it belongs to another election");
      return;
    }
    meant.put(rule, meaning);
    for (MethodShape method : wanted) {
      try {
        gatings.add(new Gating(rule, method, action.form(shape, method, classFiles)));
      } catch (CannotGate e) {
        block(rule, method, e.getMessage());
        fail(rule, method.signature() + ": " + e.getMessage(), e);
      }
    }
  }

  private int gatedBy(InstalledRule rule) {
    return (int) gatings.stream().filter(gating -> gating.rule() == rule).count();
  }

  /**
   * A native method that a rule in force names is a weave error, since it would run ungated. One
   * that a wildcard happens to mean is not: the rule's hint names it. Of a class in use the method
   * stays native, since a loaded class must keep its shape.
   */
  private boolean failNatives(InstalledRule rule, List<MethodShape> selected) {
    if (rule.rule().observe() || !rule.rule().match().namesItsMethod()) {
      return false;
    }
    List<MethodShape> natives = selected.stream().filter(MethodShape::isNative).toList();
    for (MethodShape method : natives) {
      CannotGate problem =
          new CannotGate("it is native and can't be gated; name the methods that call it instead");
      if (!loaded) {
        block(rule, method, problem.getMessage());
      }
      fail(rule, method.signature() + ": " + problem.getMessage(), problem);
    }
    return !natives.isEmpty();
  }

  private byte @Nullable [] woven(ClassShape shape) {
    try {
      List<Gating> toWeave =
          gatings.stream().filter(gating -> !blocked.containsKey(gating.key())).toList();
      byte[] open = blocked.isEmpty() ? classFile : Barricade.block(classFile, Map.copyOf(blocked));
      if (toWeave.isEmpty()) {
        return blocked.isEmpty() ? null : open;
      }
      return loom.weave(shape, open, toWeave);
    } catch (Throwable e) {
      return blockAll(e);
    }
  }

  private byte @Nullable [] blockAll(Throwable cause) {
    for (Gating gating : gatings) {
      block(gating.rule(), gating.method(), String.valueOf(cause));
    }
    meant.keySet().forEach(rule -> fail(rule, String.valueOf(cause), cause));
    if (blocked.isEmpty()) {
      return null; // All of the rules only observe.
    }
    try {
      return Barricade.block(classFile, blocked);
    } catch (Throwable e) {
      return Weaver.UNLOADABLE;
    }
  }

  private void block(InstalledRule rule, MethodShape method, @Nullable String problem) {
    if (!rule.rule().observe()) {
      blocked.put(
          Gating.key(method.name(), method.descriptor()),
          "Call refused: rule '%s' means %s#%s, which could not be gated: %s"
              .formatted(rule.rule().id(), className, method.signature(), problem));
    }
  }

  /** Told once for each rule and class: the first problem. */
  private void fail(InstalledRule rule, String problem, Throwable cause) {
    if (problems.putIfAbsent(rule, problem) == null) {
      tellFailed(
          rule, loader, failures, new WeaveFailure(rule.rule(), className, problem, loaded, cause));
    }
  }

  /** Listeners that break change nothing: the method stays shut. */
  static void tellFailed(
      InstalledRule rule, ClassLoader loader, WeaveFailures failures, WeaveFailure failure) {
    rule.failed(loader, failure.className(), failure.toString());
    if (!failure.rule().observe()) {
      try {
        failures.failed(failure);
      } catch (RuntimeException | Error broken) {
        failure.cause().addSuppressed(broken);
      }
    }
  }

  private static void tellTrap(InstalledRule rule, Meaning meaning) {
    if (!meaning.trap().isEmpty()) {
      rule.note(meaning.trap());
    }
  }

  private static boolean enforced(Iterable<InstalledRule> rules) {
    for (InstalledRule rule : rules) {
      if (!rule.rule().observe()) {
        return true;
      }
    }
    return false;
  }
}
