package io.portcullis.demo;

import java.util.List;

/**
 * What the caller of {@code ./demo} asked for.
 *
 * @param keep whether the nodes go on after the verdict
 * @param store what keeps the lease
 */
record DemoOptions(boolean keep, StoreKind store) {
  static final String USAGE =
      "Usage: ./demo [--backend " + String.join("|", StoreKind.names()) + "] [--keep]";

  /**
   * Reads options as the script passes them on.
   *
   * @throws IllegalArgumentException if they can't be right; the message says why
   */
  static DemoOptions parse(List<String> arguments) {
    boolean keep = false;
    StoreKind store = StoreKind.DEFAULT;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      switch (argument) {
        case "--keep" -> keep = true;
        case "--backend" -> store = store(i + 1 < arguments.size() ? arguments.get(++i) : "");
        default -> throw new IllegalArgumentException("unknown option " + argument);
      }
    }
    return new DemoOptions(keep, store);
  }

  private static StoreKind store(String name) {
    return StoreKind.called(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--backend must be "
                        + StoreKind.choices()
                        + (name.isEmpty() ? "" : ", not " + name)));
  }
}
