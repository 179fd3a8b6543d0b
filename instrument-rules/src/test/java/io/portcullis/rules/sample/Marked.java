package io.portcullis.rules.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Methods and types that carry annotations in every way that matters to a rule. */
@SuppressWarnings("ClassCanBeStatic")
public class Marked {
  @Retention(RetentionPolicy.RUNTIME)
  @Repeatable(Jobs.class)
  public @interface Job {
    String name() default "";
  }

  /** The container of repeated ones. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Jobs {
    Job[] value();
  }

  @Job(name = "meta")
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Nightly {}

  /** Carries it as a meta-annotation, and itself. */
  @Nightly
  @Rare
  @Retention(RetentionPolicy.CLASS)
  public @interface Rare {}

  @Job
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Handed {}

  @Job
  @Target({ElementType.PARAMETER, ElementType.LOCAL_VARIABLE, ElementType.FIELD})
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Elsewhere {}

  interface Work {
    @Job
    String work();
  }

  static class Methods implements Work {
    @Elsewhere String field = "field";

    @Job
    String direct() {
      return "direct";
    }

    @Job(name = "a")
    @Job(name = "b")
    String repeated() {
      return "repeated";
    }

    @Nightly
    String meta() {
      return "meta";
    }

    @Rare
    String metaOfMeta() {
      return "meta of meta";
    }

    /** Annotated in the interface only. */
    @Override
    public String work() {
      return "work";
    }

    String parameter(@Elsewhere String text) {
      return text + field;
    }
  }

  /** Has nothing but the container. */
  static class Repeated {
    @Job(name = "a")
    @Job(name = "b")
    String alone() {
      return "alone";
    }
  }

  @Nightly
  static class WholeType {
    String any() {
      return "any";
    }
  }

  @Handed
  static class Parent {}

  static class Subclass extends Parent {
    String inherited() {
      return "inherited";
    }
  }

  static class WholeTypeSubclass extends WholeType {
    String own() {
      return "own";
    }
  }

  public String run(String what) {
    return switch (what) {
      case "direct" -> new Methods().direct();
      case "repeated" -> new Methods().repeated();
      case "alone" -> new Repeated().alone();
      case "meta" -> new Methods().meta();
      case "meta of meta" -> new Methods().metaOfMeta();
      case "of the interface" -> new Methods().work();
      case "parameter" -> new Methods().parameter("text");
      case "type" -> new WholeType().any();
      case "inherited" -> new Subclass().inherited();
      case "not inherited" -> new WholeTypeSubclass().own();
      default -> throw new IllegalArgumentException(what);
    };
  }
}
