package io.portcullis.rules.action;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.gate.Refusal;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.RefusedResult.ExtensionResult;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.extension.RefusalAction;
import io.portcullis.rules.extension.RefusedMethod;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gets the result of a refused call from an extension. Woven code can call only the gate, so for
 * each refused call it asks the gate, and the gate asks this refusal. By then the refusal has
 * already decided that the body is skipped: a result of the wrong type, or none, ends in an
 * exception and never runs the body.
 */
final class ExtensionAction implements Action {
  private static final Map<String, Class<?>> BOXES =
      Map.of(
          "boolean", Boolean.class,
          "char", Character.class,
          "byte", Byte.class,
          "short", Short.class,
          "int", Integer.class,
          "long", Long.class,
          "float", Float.class,
          "double", Double.class);

  /** The JVM allows it in no name of a class or method, whatever the source language. */
  private static final String SEPARATOR = ";";

  private final String name;
  private final RefusalAction other;
  private final boolean stackTraces;
  private final InFlightOptions inFlight;

  private ExtensionAction(
      String name, RefusalAction other, boolean stackTraces, InFlightOptions inFlight) {
    this.name = name;
    this.other = other;
    this.stackTraces = stackTraces;
    this.inFlight = inFlight;
  }

  static ExtensionAction of(String name, RefusalAction other, ActionOptions options) {
    options.allowOnly(name, InFlightOptions.KEYS);
    return new ExtensionAction(name, other, options.stackTraces(), InFlightOptions.of(options));
  }

  @Override
  public String text() {
    return inFlight.addedTo(name);
  }

  @Override
  public boolean mayThrow(MethodShape method) {
    return true;
  }

  @Override
  public Refusal refusal() {
    return new ExtensionRefusal();
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException(
        "a constructor can't return another result, since its caller gets an object. Use throw or"
            + " wait.");
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isConstructor(method)) {
      checkForConstructors();
    }
    RefusedMethod asked =
        new RefusedMethod(
            declaring.name(), method.name(), method.parameterTypes(), method.returnType());
    if (!hasAnswer(asked)) {
      throw new CannotGateException(
          "the action %s has no result for %s. Use another action there.".formatted(name, asked));
    }
    RefusedResult answer = new ExtensionResult(written(asked));
    return MethodKind.answersByFuture(method)
        ? WeaveSpec.answeringByFuture(answer, inFlight)
        : WeaveSpec.answering(answer, inFlight);
  }

  private boolean hasAnswer(RefusedMethod method) throws CannotGateException {
    try {
      return other.canAnswer(method);
    } catch (RuntimeException | LinkageError e) { // The extension's code may throw anything.
      throw new CannotGateException(
          "the action %s failed in canAnswer for %s: %s. Use another action, or fix the extension."
              .formatted(name, method, e));
    }
  }

  private static String written(RefusedMethod method) {
    List<String> parts = new ArrayList<>(List.of(method.type(), method.name()));
    parts.add(method.returnType());
    parts.addAll(method.parameterTypes());
    return String.join(SEPARATOR, parts);
  }

  private static RefusedMethod read(String written) {
    List<String> parts = List.of(written.split(SEPARATOR, -1));
    return new RefusedMethod(
        parts.get(0), parts.get(1), parts.subList(3, parts.size()), parts.get(2));
  }

  private final class ExtensionRefusal implements Refusal {
    @Override
    public Verdict refuse(Checkpoint checkpoint, long sinceNanos) {
      return Verdict.SKIP;
    }

    @Override
    public @Nullable Object answer(Checkpoint checkpoint, String method) {
      RefusedMethod asked = read(method);
      NotLeaderException refused = checkpoint.notLeader(stackTraces);
      Object answer = other.answer(asked, refused);
      Class<?> box = BOXES.get(asked.returnType());
      if (box != null && !box.isInstance(answer)) {
        throw new IllegalStateException(
            "The action %s returned %s for %s, which can't return it. %s"
                .formatted(name, answer, asked, refused.getMessage()),
            refused);
      }
      return answer; // An object of another type fails where the woven method casts it.
    }
  }
}
