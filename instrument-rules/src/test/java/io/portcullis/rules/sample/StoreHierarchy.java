package io.portcullis.rules.sample;

/** Types that are related to each other in every way that matters to a rule by supertype. */
@SuppressWarnings({"ClassCanBeStatic", "UnicodeInCode", "unused"})
public class StoreHierarchy {
  /** The type that rules name. */
  public interface Store<T> extends Closing {
    String save(T value);

    default String flush() {
      return "flushed";
    }

    static String open() {
      return "opened";
    }
  }

  interface Closing {
    String shut();
  }

  record Order(int number) {}

  /** Narrows the type, so that the compiler makes a bridge. */
  static class OrderStore implements Store<Order> {
    @Override
    public String save(Order order) {
      return "order " + order.number();
    }

    public String save(int number) {
      return "no method of Store";
    }

    @Override
    public String shut() {
      return "shut";
    }

    public String other() {
      return "other";
    }

    static String open() {
      return "opened too";
    }
  }

  /** Between interface and class, without a body. */
  abstract static class HalfStore<T> implements Store<T> {
    abstract String half();

    @Override
    public String shut() {
      return "half shut";
    }
  }

  static class WholeStore extends HalfStore<String> {
    @Override
    public String save(String value) {
      return "whole " + value;
    }

    @Override
    String half() {
      return "half";
    }

    @Override
    public String flush() {
      return "whole flush";
    }
  }

  interface WiderStore extends Store<String> {
    @Override
    default String save(String value) {
      return "wider " + value;
    }
  }

  static class WideStore implements WiderStore {
    @Override
    public String shut() {
      return "wide shut";
    }
  }

  /** Has the methods of a store but does not implement it. */
  static class Lookalike {
    public String save(Object value) {
      return "lookalike " + value;
    }

    public String shut() {
      return "lookalike shut";
    }
  }

  /** Inherits its method bodies from a class that is not a store. */
  static class Trapped extends Lookalike implements Store<Object> {}

  /** Not a store; its parameter type makes the compiler create a bridge in a subclass that is. */
  static class OrderBase {
    public String save(Order order) {
      return "kept " + order.number();
    }

    public String shut() {
      return "kept";
    }
  }

  static class TrappedByBridge extends OrderBase implements Store<Order> {}

  /** Names as other languages create them. */
  static class Ünïcode$Störe implements Store<String> {
    @Override
    public String save(String value) {
      return "unicode " + value;
    }

    @Override
    public String shut() {
      return "unicode shut";
    }
  }

  public String run(String what) {
    return switch (what) {
      case "direct" -> new OrderStore().save(new Order(1));
      case "through the type" -> save(new OrderStore(), new Order(2));
      case "not of the type" -> new OrderStore().save(3);
      case "other" -> new OrderStore().other();
      case "inherited by the type" -> new OrderStore().shut();
      case "static" -> OrderStore.open();
      case "static of the type" -> Store.open();
      case "default" -> new OrderStore().flush();
      case "default overridden" -> new WholeStore().flush();
      case "through an abstract class" -> new WholeStore().save("it");
      case "body of an abstract class" -> new WholeStore().shut();
      case "default of a subinterface" -> new WideStore().save("it");
      case "trapped" -> save(new Trapped(), "it");
      case "trapped by a bridge" -> save(new TrappedByBridge(), new Order(4));
      case "unicode" -> new Ünïcode$Störe().save("it");
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static <T> String save(Store<T> store, T value) {
    return store.save(value);
  }
}
