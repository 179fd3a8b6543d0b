package io.portcullis.rules.sample;

import java.util.function.Supplier;

/** Its methods that take and return what the parent's do are bridges, made by the compiler. */
public class Bridged extends BridgedParent implements Comparable<Bridged>, Supplier<String> {
  public String save(Integer number) {
    return "number " + number;
  }

  @Override
  public int compareTo(Bridged other) {
    return 7;
  }

  @Override
  public String get() {
    return "got";
  }
}

/** Not public, so that each class below gets a bridge that calls it. */
abstract class BridgedParent {
  public String save(String text) {
    return "text " + text;
  }
}
