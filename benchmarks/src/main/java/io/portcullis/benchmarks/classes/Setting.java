package io.portcullis.benchmarks.classes;

/**
 * So many rules of a kind.
 *
 * @param parents whether the classes have parents of their own
 */
record Setting(boolean parents, Kind kind, int rules) {
  static Setting parse(String text) {
    String[] words = text.split(":", 3);
    return new Setting(
        Boolean.parseBoolean(words[0]), Kind.valueOf(words[1]), Integer.parseInt(words[2]));
  }

  @Override
  public String toString() {
    return parents + ":" + kind + ":" + rules;
  }
}
