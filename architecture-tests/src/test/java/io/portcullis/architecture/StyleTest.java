package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The house's rules of style, as far as a machine can hold them. */
class StyleTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int MAX_FILE = 400;

  /** Programs that print because that is what they are for. */
  private static final List<Path> SPEAKERS =
      List.of(ROOT.resolve("benchmarks"), ROOT.resolve("test-apps"));

  /** What is banned, and what to do instead. */
  private static final Map<Pattern, String> BANNED_ANYWHERE =
      Map.of(
          Pattern.compile("\\b(TODO|FIXME|XXX)\\b"), "do it, or file an issue",
          Pattern.compile("printStackTrace"), "report it",
          Pattern.compile("Thread\\.sleep|TimeUnit\\.\\w+\\.sleep"), "await the condition",
          Pattern.compile("@Disabled"), "mend the test or delete it",
          Pattern.compile("catch \\([^)]*\\) \\{\\s*}"), "catch narrowly, never swallow",
          Pattern.compile("@author"), "history belongs to git");

  private static final Map<Pattern, String> BANNED_IN_MAIN =
      Map.of(
          Pattern.compile("System\\.(out|err)"), "log, or return it",
          Pattern.compile("(class|record|interface|enum) \\w*(Manager|Helper|Utils?|Impl)\\b"),
              "name it by what it is in the domain",
          Pattern.compile("class Abstract\\w+"), "name it by what it is in the domain");

  @Test
  void noFileHoldsWhatTheHouseBans() {
    assertThat(violations(file -> !isThisTest(file), BANNED_ANYWHERE)).isEmpty();
  }

  @Test
  void noMainFileHoldsWhatTheHouseBansThere() {
    assertThat(
            violations(
                file -> isMain(file) && SPEAKERS.stream().noneMatch(file::startsWith),
                BANNED_IN_MAIN))
        .isEmpty();
  }

  @Test
  void noFileIsTooLongForOneIdea() {
    assertThat(sources().filter(file -> read(file).lines().count() > MAX_FILE)).isEmpty();
  }

  @Test
  void everyMainPackageStatesItsPromise() {
    List<Path> silent =
        sources()
            .filter(StyleTest::isMain)
            .map(Path::getParent)
            .distinct()
            .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
            .toList();

    assertThat(silent).isEmpty();
  }

  private static List<String> violations(Predicate<Path> where, Map<Pattern, String> banned) {
    return sources()
        .filter(where)
        .flatMap(
            file ->
                banned.entrySet().stream()
                    .filter(ban -> ban.getKey().matcher(read(file)).find())
                    .map(
                        ban -> ROOT.relativize(file) + ": " + ban.getKey() + ": " + ban.getValue()))
        .toList();
  }

  private static Stream<Path> sources() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.toString().contains("/target/"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isMain(Path file) {
    return file.toString().replace('\\', '/').contains("/src/main/java/");
  }

  private static boolean isThisTest(Path file) {
    return file.endsWith("StyleTest.java");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
