package io.portcullis.benchmarks.classes;

/** So many rules of a kind. */
record Setting(Kind kind, int rules) {
  static Setting parse(String text) {
    String[] words = text.split(":", 2);
    return new Setting(Kind.valueOf(words[0]), Integer.parseInt(words[1]));
  }

  @Override
  public String toString() {
    return kind + ":" + rules;
  }
}
