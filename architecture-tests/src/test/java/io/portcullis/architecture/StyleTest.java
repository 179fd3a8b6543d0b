package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the style rules that can be checked: names, lengths, banned calls. */
class StyleTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int MAX_FILE_LINES = 400;
  private static final int MAX_COMPONENTS = 7;
  private static final int MAX_TEST_NAME = 60;

  /** Modules that are not part of the product. */
  private static final Pattern SUPPORT_MODULE =
      Pattern.compile("(benchmarks|test-[^/]*|demo-[^/]*|it-tests|architecture-tests)/.*");

  /** Programs that print by design. */
  private static final List<Path> PRINTING_PROGRAMS =
      List.of(ROOT.resolve("benchmarks"), ROOT.resolve("test-apps"));

  /** Banned patterns, with the remedy. */
  private static final Map<Pattern, String> BANNED_ANYWHERE =
      Map.of(
          Pattern.compile("\\b(TODO|FIXME|XXX)\\b"), "do it, or file an issue",
          Pattern.compile("printStackTrace"), "log it",
          Pattern.compile("Thread\\.sleep|TimeUnit\\.\\w+\\.sleep"), "await the condition",
          Pattern.compile("@Disabled"), "fix the test or delete it",
          Pattern.compile("catch \\([^)]*\\) \\{\\s*}"), "catch narrowly, never swallow",
          Pattern.compile("@author"), "history belongs to git",
          Pattern.compile(
                  "static final [^=;]*?\\b(MOST|LEAST|FEWEST|LONGEST|SHORTEST|LARGEST|BIGGEST"
                      + "|GREATEST|SMALLEST|HIGHEST|LOWEST)(_|\\b)"),
              "bounds start with MAX_ or MIN_",
          Pattern.compile("void [a-z]\\w{" + MAX_TEST_NAME + ",}\\("), "shorten the test's name");

  private static final Map<Pattern, String> BANNED_IN_MAIN =
      Map.of(Pattern.compile("System\\.(out|err)"), "log, or return it");

  /** Constructors and records with more components than {@link #MAX_COMPONENTS}, and why. */
  private static final Map<String, String> WIDE =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "AgentRuntime", "composition root: one component for each part of the agent"),
              Map.entry("Claim", "what one atomic step of a store compares and writes"),
              Map.entry(
                  "Draining", "state of a leader, with the deadline and event of its handover"),
              Map.entry("ElectionCounts", "counters, read by name only"),
              Map.entry("ElectionSection", "one component for each key of an election"),
              Map.entry(
                  "MemberState.KnownLeader",
                  "a leader as its heartbeat names it, and until when it counts"),
              Map.entry("Lapsed", "state of a former leader, with the time at which it gives up"),
              Map.entry("LeaseRow.Content", "columns of the table of leases"),
              Map.entry("Leading", "state of a leader: its grant, and the renewal of it"),
              Map.entry("Participant", "parts of one election, put together by AgentRuntime only"),
              Map.entry(
                  "QuorumStorePlan", "checked settings of one member, made by QuorumBackend only"),
              Map.entry("RuleCoverage", "flat like the JSON object it becomes"),
              Map.entry("StatusRow", "columns of the table that the command status prints"),
              Map.entry("Timing", "flat like the section timing, and made by TimingBuilder only")));

  /** Names of nested types that several types may use, and why. */
  private static final Map<String, String> REPEATED_NAMES =
      new TreeMap<>(
          Map.of(
              "Builder", "the usual name of a type's own builder",
              "Entry", "private: one entry of the type around it",
              "Hint", "the same hint, as an effect of the quorum and an input of the election",
              "Key", "private: the key of a map of the type around it",
              "Tick", "the input of each machine when time has passed"));

  @Test
  void noFileContainsBannedText() {
    assertThat(violations(file -> !isThisTest(file), BANNED_ANYWHERE)).isEmpty();
  }

  @Test
  void noMainFilePrints() {
    assertThat(
            violations(
                file -> isMain(file) && PRINTING_PROGRAMS.stream().noneMatch(file::startsWith),
                BANNED_IN_MAIN))
        .isEmpty();
  }

  @Test
  void noFileIsTooLong() {
    assertThat(sources().filter(file -> read(file).lines().count() > MAX_FILE_LINES)).isEmpty();
  }

  @Test
  void everyMainPackageHasAPackageComment() {
    List<Path> silent =
        sources()
            .filter(StyleTest::isMain)
            .map(Path::getParent)
            .distinct()
            .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
            .toList();

    assertThat(silent).isEmpty();
  }

  @Test
  void simpleClassNamesAreUniqueInTheProduct() {
    Map<String, List<String>> byName =
        sources()
            .filter(file -> isMain(file) && isProduct(file))
            .filter(file -> !file.endsWith("package-info.java"))
            .map(file -> ROOT.relativize(file).toString())
            .collect(Collectors.groupingBy(name -> Path.of(name).getFileName().toString()));

    assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
  }

  /** Nested types count too: search results and stack traces show them without their owner. */
  @Test
  void namesOfNestedTypesAreUniqueInTheProduct() {
    Map<String, Long> counts =
        ProductClasses.CLASSES.stream()
            .filter(type -> isProduct(type) && !type.isAnonymousClass() && !type.isLocalClass())
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.equals("package-info"))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    counts.values().removeIf(count -> count == 1);

    assertThat(counts.keySet()).containsExactlyElementsOf(REPEATED_NAMES.keySet());
  }

  @Test
  void exceptionsAreNamedExceptionOrError() {
    assertThat(ProductClasses.CLASSES)
        .filteredOn(type -> type.isAssignableTo(Throwable.class))
        .allMatch(type -> type.getSimpleName().matches(".*(Exception|Error)"));
  }

  @Test
  void constructorsAndRecordsAreNarrow() {
    TreeSet<String> wide = new TreeSet<>();
    for (JavaClass type : ProductClasses.CLASSES) {
      if (isProduct(type) && !type.isEnum() && !type.isAnonymousClass()) {
        for (JavaConstructor each : type.getConstructors()) {
          if (each.getRawParameterTypes().size() > MAX_COMPONENTS) {
            wide.add(shortName(type));
          }
        }
      }
    }

    assertThat(wide).containsExactlyElementsOf(WIDE.keySet());
  }

  private static String shortName(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private static boolean isProduct(JavaClass type) {
    return !type.getPackageName()
        .matches("com\\.acme.*|io\\.portcullis\\.(demo|benchmarks|servers).*");
  }

  private static boolean isProduct(Path file) {
    String name = ROOT.relativize(file).toString().replace('\\', '/');
    return !SUPPORT_MODULE.matcher(name).matches();
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
