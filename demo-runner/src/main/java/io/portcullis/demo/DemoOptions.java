package io.portcullis.demo;

import java.util.List;

/**
 * Command line options of {@code ./demo}.
 *
 * @param keep whether the nodes keep running after the verdict
 * @param store the store of the lease
 */
record DemoOptions(boolean keep, StoreKind store) {
  static final String USAGE =
      "Usage: ./demo [--backend " + String.join("|", StoreKind.names()) + "] [--keep]";

  /**
   * Parses the options.
   *
   * @throws IllegalArgumentException if an option is invalid
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
    return StoreKind.find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--backend must be "
                        + StoreKind.choices()
                        + (name.isEmpty() ? "" : ", not " + name)));
  }
}
