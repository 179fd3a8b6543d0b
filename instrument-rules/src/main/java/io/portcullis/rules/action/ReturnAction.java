package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.RefusedResult.Constant;
import io.portcullis.rules.action.RefusedResult.DoneFuture;
import io.portcullis.rules.action.RefusedResult.Empty;
import io.portcullis.rules.action.RefusedResult.EmptyArray;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Returns a fixed value, or the empty value of the method's return type. A method declared to
 * return a {@code CompletionStage} or {@code CompletableFuture} returns one completed with that
 * value.
 */
final class ReturnAction implements Action {
  static final String NAME = "return";

  private static final String VALUE = "value";
  private static final String EMPTY = "empty";
  private static final Set<String> KNOWN = Set.of(VALUE, EMPTY, "recheck", "interrupt");

  private final boolean empty;
  private final @Nullable Object value;
  private final InFlightOptions inFlight;

  private ReturnAction(boolean empty, @Nullable Object value, InFlightOptions inFlight) {
    this.empty = empty;
    this.value = value;
    this.inFlight = inFlight;
  }

  static ReturnAction of(ActionOptions options) {
    options.allowOnly(NAME, KNOWN);
    boolean empty = options.flag(EMPTY);
    if (empty && options.isSet(VALUE)) {
      options.refuse(EMPTY, "value is set too", "Leave one of them out");
    } else if (!empty && !options.isSet(VALUE)) {
      options.refuse(
          "action", "the value to return is missing", "Write value = …, or empty = true");
    }
    return new ReturnAction(empty, options.value(VALUE), InFlightOptions.of(options));
  }

  @Override
  public String text() {
    return inFlight.addedTo(NAME + " " + (empty ? EMPTY : shown()));
  }

  private String shown() {
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }

  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.SKIP;
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException("a constructor returns nothing. Use throw or wait.");
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isConstructor(method)) {
      checkForConstructors();
    }
    if (MethodKind.isVoid(method)) {
      throw new CannotGateException(
          "%s#%s is void and returns nothing. Use skip."
              .formatted(declaring.name(), method.signature()));
    }
    if (MethodKind.answersByFuture(method)) {
      return WeaveSpec.answeringByFuture(
          new DoneFuture(constant(declaring, method, "java.lang.Object")), inFlight);
    }
    return WeaveSpec.answering(
        empty ? emptyOf(declaring, method) : constant(declaring, method, method.returnType()),
        inFlight);
  }

  /** A future's declared type does not show its content's type, so there is no empty value. */
  private Constant constant(ClassShape declaring, MethodShape method, String type)
      throws CannotGateException {
    Constant fitting = empty ? null : ReturnValueCheck.of(value, type);
    if (fitting == null) {
      throw misfit(empty ? "an empty value" : shown(), declaring, method);
    }
    return fitting;
  }

  private static RefusedResult emptyOf(ClassShape declaring, MethodShape method)
      throws CannotGateException {
    RefusedResult fitting = EmptyValue.of(method);
    if (fitting == null) {
      throw misfit("an empty value", declaring, method);
    }
    return fitting;
  }

  private static CannotGateException misfit(String what, ClassShape declaring, MethodShape method) {
    return new CannotGateException(
        "%s can't be returned by %s#%s, which returns %s. Name a value that fits without loss"
                .formatted(what, declaring.name(), method.signature(), method.returnType())
            + " (null only for objects, numbers only for numbers; empty for Optional, List, Set,"
            + " Map, Collection,"
            + " Iterable, Iterator, Stream and arrays), or use throw.");
  }

  /** Finds the empty value of a method's return type. Empty collections are immutable. */
  static final class EmptyValue {
    private static final Map<String, Empty> BY_TYPE = byType();

    private EmptyValue() {}

    /** Null if no empty value of that type is known. */
    static @Nullable RefusedResult of(MethodShape method) {
      String descriptor = method.descriptor();
      String returned = descriptor.substring(descriptor.indexOf(')') + 1);
      return returned.startsWith("[")
          ? new EmptyArray(returned.substring(1))
          : BY_TYPE.get(method.returnType());
    }

    private static Map<String, Empty> byType() {
      Map<String, Empty> types = new HashMap<>();
      for (String name :
          new String[] {"Optional", "OptionalInt", "OptionalLong", "OptionalDouble"}) {
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

  /**
   * Converts a configured value to a method's return type. A value that the conversion would change
   * does not fit.
   */
  static final class ReturnValueCheck {
    private static final Set<String> PRIMITIVES =
        Set.of("void", "boolean", "byte", "char", "short", "int", "long", "float", "double");

    /** Supertypes that String and Boolean have in common. */
    private static final Set<String> COMMON_PARENTS =
        Set.of("java.lang.Object", "java.lang.Comparable", "java.io.Serializable");

    private ReturnValueCheck() {}

    /**
     * The boxed value to return, or null if it does not fit. A number does not fit a type that may
     * hold any number or any object: it could become an Integer where a Long is expected.
     */
    static @Nullable Constant of(@Nullable Object value, String type) {
      if (value == null) {
        return PRIMITIVES.contains(type) ? null : new Constant(null);
      }
      if (value instanceof Number number) {
        Number fitting = number(new BigDecimal(number.toString()), type);
        return fitting == null ? null : new Constant(fitting);
      }
      if (value instanceof Boolean) {
        return type.equals("boolean")
                || type.equals("java.lang.Boolean")
                || COMMON_PARENTS.contains(type)
            ? new Constant(value)
            : null;
      }
      return value instanceof String text ? text(text, type) : null;
    }

    private static @Nullable Constant text(String text, String type) {
      if (type.equals("char") || type.equals("java.lang.Character")) {
        return text.length() == 1 ? new Constant(text.charAt(0)) : null;
      }
      return type.equals("java.lang.String")
              || type.equals("java.lang.CharSequence")
              || COMMON_PARENTS.contains(type)
          ? new Constant(text)
          : null;
    }

    private static @Nullable Number number(BigDecimal number, String type) {
      try {
        return switch (type) {
          case "byte", "java.lang.Byte" -> number.byteValueExact();
          case "short", "java.lang.Short" -> number.shortValueExact();
          case "int", "java.lang.Integer" -> number.intValueExact();
          case "long", "java.lang.Long" -> number.longValueExact();
          case "float", "java.lang.Float" -> same(number, number.floatValue());
          case "double", "java.lang.Double" -> same(number, number.doubleValue());
          default -> null;
        };
      } catch (ArithmeticException lossy) {
        return null;
      }
    }

    /** Null if rounding changes the number as written: 0.1 fits a float, 16777217 does not. */
    private static @Nullable Number same(BigDecimal written, Number rounded) {
      boolean finite = Double.isFinite(rounded.doubleValue());
      return finite && new BigDecimal(rounded.toString()).compareTo(written) == 0 ? rounded : null;
    }
  }
}
