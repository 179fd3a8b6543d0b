package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that tests do not depend on the machine's speed, as far as their sources show it: time
 * limits are long, so no test fails because a few seconds were not enough.
 */
class TestTimeLimitsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Minimum time limit for something that has to happen. */
  private static final int MIN_WAIT_SECONDS = 60;

  private static final Pattern AWAIT = Pattern.compile("(?<![\\w.])await\\(\\)\\s*\\.");

  private static final Pattern AWAITILITY = Pattern.compile("Awaitility\\.await\\([^)]*\\)\\s*\\.");

  private static final Pattern SHORT_WAIT =
      Pattern.compile("\\.(?:atMost|awaitLeadership)\\(Duration\\.of(Millis|Seconds)\\((\\d+)\\)");

  private static final Pattern SHORT_GET =
      Pattern.compile("\\.(?:get|poll)\\((\\d+), (?:TimeUnit\\.)?(MILLISECONDS|SECONDS)\\)");

  private static final Pattern SHORT_BOUND =
      Pattern.compile("isLessThan(?:OrEqualTo)?\\(Duration\\.of(Millis|Seconds)\\((\\d+)\\)");

  /** Files in which a short time is right, and why. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "LeaderElectionTest.java", "a standby must not lead within this time",
          "RedisDataLossTest.java", "a node that lacks replicas must not lead within this time",
          "PostgresServerTest.java", "a response must not arrive within this time");

  @Test
  void everyAwaitHasATimeLimit() {
    List<String> bare = new ArrayList<>();
    tests()
        .forEach(
            file -> {
              String text = read(file);
              if (text.contains("org.awaitility.Awaitility")) {
                addBare(bare, file, text, AWAITILITY);
                addBare(bare, file, text, AWAIT);
              }
            });

    assertThat(bare).as("await() without atMost(): its default of 10 s is too short").isEmpty();
  }

  @Test
  void noTestHasShortTimeLimit() {
    List<String> hasty =
        tests()
            .filter(file -> !EXCEPTIONS.containsKey(file.getFileName().toString()))
            .flatMap(TestTimeLimitsTest::shortTimes)
            .toList();

    assertThat(hasty)
        .as("wait for longer, or compare with a lease that is longer than any pause")
        .isEmpty();
  }

  private static Stream<String> shortTimes(Path file) {
    String text = read(file);
    List<String> found = new ArrayList<>();
    for (Pattern pattern : List.of(SHORT_WAIT, SHORT_BOUND)) {
      Matcher matcher = pattern.matcher(text);
      while (matcher.find()) {
        int length = Integer.parseInt(matcher.group(2));
        if (matcher.group(1).equals("Millis") || length < MIN_WAIT_SECONDS) {
          found.add(ROOT.relativize(file) + ": " + matcher.group());
        }
      }
    }
    Matcher get = SHORT_GET.matcher(text);
    while (get.find()) {
      int length = Integer.parseInt(get.group(1));
      if (get.group(2).equals("MILLISECONDS") || length < MIN_WAIT_SECONDS) {
        found.add(ROOT.relativize(file) + ": " + get.group());
      }
    }
    return found.stream();
  }

  private static void addBare(List<String> bare, Path file, String text, Pattern begin) {
    Matcher matcher = begin.matcher(text);
    while (matcher.find()) {
      String chain = text.substring(matcher.start(), endOfStatement(text, matcher.start()));
      if (!chain.contains(".atMost(")) {
        bare.add(ROOT.relativize(file) + ": " + chain.lines().findFirst().orElse(""));
      }
    }
  }

  /** The end of the statement: all opened brackets are closed. */
  private static int endOfStatement(String text, int start) {
    int depth = 0;
    for (int at = start; at < text.length(); at++) {
      char each = text.charAt(at);
      if (each == '(' || each == '{') {
        depth++;
      } else if (each == ')' || each == '}') {
        depth--;
      }
      if (depth < 0 || (depth == 0 && each == ';')) {
        return at;
      }
    }
    return text.length();
  }

  private static Stream<Path> tests() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().replace('\\', '/').contains("/src/test/java/"))
          .filter(file -> !file.toString().contains("/target/"))
          .filter(file -> !file.endsWith("TestTimesTest.java"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
