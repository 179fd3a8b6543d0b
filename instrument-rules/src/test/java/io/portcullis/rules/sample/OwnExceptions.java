package io.portcullis.rules.sample;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A class that refuses with its own exceptions. */
@SuppressWarnings({"unused", "serial"})
public class OwnExceptions {
  public int bodies;

  public int unchecked() {
    return ++bodies;
  }

  public int checked() throws IOException {
    return ++bodies;
  }

  public CompletableFuture<Integer> later() {
    return CompletableFuture.completedFuture(++bodies);
  }

  public static class Standby extends Middle {
    public Standby(String message) {
      super(message);
    }
  }

  public static class Middle extends RuntimeException {
    public Middle(String message) {
      super(message);
    }
  }

  public static class Silent extends RuntimeException {
    public Silent() {}
  }

  public static class Checked extends java.io.FileNotFoundException {
    public Checked(String message) {
      super(message);
    }
  }

  public static class Fussy extends RuntimeException {
    public Fussy(int code) {
      super("code " + code);
    }
  }

  public abstract static class Vague extends RuntimeException {
    public Vague(String message) {
      super(message);
    }
  }

  static class Shy extends RuntimeException {
    private Shy(String message) {
      super(message);
    }
  }

  public static class NoThrowable {
    public NoThrowable(String message) {}
  }
}
