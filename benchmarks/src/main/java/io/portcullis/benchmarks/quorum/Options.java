package io.portcullis.benchmarks.quorum;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Command line options.
 *
 * @param quick only a few rounds
 * @param parts the parts to measure; all unless some were named
 * @param timing keys of the section {@code timing} that differ from their defaults
 */
record Options(boolean quick, Set<BenchmarkPart> parts, Map<String, String> timing) {
  static final String USAGE =
      """
      Usage: quorum [--quick] [cold-start] [hand-over] [traffic] [timing.<key>=<value> ...]
        --quick              a few rounds, rough results
        cold-start ...       only these parts
        timing.lease=3s ...  another timing than the default\
      """;

  private static final String TIMING = "timing.";

  static Options parse(List<String> arguments) {
    boolean quick = false;
    Set<BenchmarkPart> parts = EnumSet.noneOf(BenchmarkPart.class);
    Map<String, String> timing = new TreeMap<>();
    for (String argument : arguments) {
      Optional<BenchmarkPart> part = BenchmarkPart.named(argument);
      int equals = argument.indexOf('=');
      if (argument.equals("--quick")) {
        quick = true;
      } else if (part.isPresent()) {
        parts.add(part.get());
      } else if (argument.startsWith(TIMING) && equals > TIMING.length()) {
        timing.put(argument.substring(0, equals), argument.substring(equals + 1));
      } else {
        throw new IllegalArgumentException(argument);
      }
    }
    return new Options(quick, parts.isEmpty() ? EnumSet.allOf(BenchmarkPart.class) : parts, timing);
  }
}
