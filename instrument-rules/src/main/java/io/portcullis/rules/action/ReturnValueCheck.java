package io.portcullis.rules.action;

import io.portcullis.rules.action.RefusedResult.Constant;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value from the configuration as a method of a given type can return it. Where it would not be
 * the same value any more, it does not fit.
 */
final class ReturnValueCheck {
  private static final Set<String> PRIMITIVES =
      Set.of("void", "boolean", "byte", "char", "short", "int", "long", "float", "double");

  /** Parents that texts and truth values have in common, besides their own types. */
  private static final Set<String> COMMON_PARENTS =
      Set.of("java.lang.Object", "java.lang.Comparable", "java.io.Serializable");

  private ReturnValueCheck() {}

  /**
   * The value to return, in its box, or null if it does not fit. A number for something that may be
   * any number, or any object, does not: it could become an Integer where a Long is expected.
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

  /** Whether it is the number that was written: 0.1 is a float, 16777217 is not. */
  private static @Nullable Number same(BigDecimal written, Number rounded) {
    boolean finite = Double.isFinite(rounded.doubleValue());
    return finite && new BigDecimal(rounded.toString()).compareTo(written) == 0 ? rounded : null;
  }
}
