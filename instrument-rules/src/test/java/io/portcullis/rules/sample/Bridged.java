package io.portcullis.rules.sample;

import java.util.function.Supplier;

/** Methods with the parent's parameters and result are bridges, made by the compiler. */
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

/** Not public, so that each subclass gets a bridge that calls it. */
abstract class BridgedParent {
  public String save(String text) {
    return "text " + text;
  }
}
