package io.portcullis.benchmarks.classes;

/** A kind of rule with its pattern and its maximum cost for a class that it does not match. */
enum RuleKind {
  EXACT("com.acme.none.T%d#save(..)", 1),
  SUBTYPE("com.acme.none.T%d+#save(..)", 20),
  SUBTYPE_WITH_WILDCARD("com.acme.none%d.**+#save(..)", 20),
  ANNOTATION("@com.acme.none.A%d **#*(..)", 20);

  private final String pattern;
  final double targetMicros;

  RuleKind(String pattern, double targetMicros) {
    this.pattern = pattern;
    this.targetMicros = targetMicros;
  }

  String pattern(int number) {
    return pattern.formatted(number);
  }

  String text() {
    return pattern.formatted(1);
  }
}
