package io.portcullis.rules.sample;

/** Types of every kind that can hold gated methods. */
@SuppressWarnings("ClassCanBeStatic")
public class TypeKinds {
  public String all() {
    return new Point(3, 4).length()
        + Colour.RED.shout()
        + new Greeter() {}.greet()
        + Greeter.fixed()
        + new Inner().deep();
  }

  public String gated(String which) {
    return switch (which) {
      case "record" -> "" + new Point(3, 4).length();
      case "accessor" -> "" + new Point(3, 4).x();
      case "enum" -> Colour.RED.shout();
      case "default" -> new Greeter() {}.greet();
      case "static" -> Greeter.fixed();
      case "private" -> new Greeter() {}.viaPrivate();
      case "inner" -> new Inner().deep();
      default -> throw new IllegalArgumentException(which);
    };
  }

  record Point(int x, int y) {
    double length() {
      return Math.hypot(x, y);
    }
  }

  enum Colour {
    RED {
      @Override
      String shout() {
        return "RED!";
      }
    };

    abstract String shout();
  }

  interface Greeter {
    default String greet() {
      return "hello";
    }

    static String fixed() {
      return "fixed";
    }

    default String viaPrivate() {
      return hidden();
    }

    private String hidden() {
      return "hidden";
    }
  }

  class Inner {
    String deep() {
      return "deep";
    }
  }
}
