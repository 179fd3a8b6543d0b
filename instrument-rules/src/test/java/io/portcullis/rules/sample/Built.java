package io.portcullis.rules.sample;

/** Constructors of several shapes; their effects are recorded for all instances. */
public class Built extends BuiltParent {
  public final String text;

  public Built() {
    this("default");
  }

  public Built(String text) {
    super(text.isEmpty() ? "empty" : text);
    this.text = text;
  }

  public Built(int number, long[] numbers) {
    super(number > 0 ? "positive" : "other");
    try {
      this.text = "" + numbers[number];
    } finally {
      effects++;
    }
  }
}
