package io.portcullis.benchmarks.classes;

/**
 * A number of rules of one kind.
 *
 * @param parents whether the classes have their own parents
 */
record LoadingSetting(boolean parents, RuleKind kind, int rules) {
  static LoadingSetting parse(String text) {
    String[] words = text.split(":", 3);
    return new LoadingSetting(
        Boolean.parseBoolean(words[0]), RuleKind.valueOf(words[1]), Integer.parseInt(words[2]));
  }

  @Override
  public String toString() {
    return parents + ":" + kind + ":" + rules;
  }
}
