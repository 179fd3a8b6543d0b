package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that relative links, and the pages and headings that messages name, exist. */
class DocumentationLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`\\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");
  private static final Pattern LINKED_TEXT = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");
  private static final Pattern PAGE_IN_SOURCE =
      Pattern.compile("\\b(docs/[a-z0-9/-]+\\.md(?:#[a-z0-9_-]+)?)");

  @Test
  void relativeLinksOfAllPagesResolve() {
    List<String> broken = pages().flatMap(page -> brokenIn(page).stream()).toList();

    assertThat(pages()).hasSizeGreaterThan(50);
    assertThat(broken).isEmpty();
  }

  @Test
  void pagesNamedBySourcesExist() {
    List<String> broken =
        walk("java", "conf")
            .filter(source -> !source.endsWith("DocumentationLinksTest.java"))
            .flatMap(
                source ->
                    PAGE_IN_SOURCE
                        .matcher(read(source))
                        .results()
                        .map((MatchResult named) -> named.group(1))
                        .filter(link -> !resolves(ROOT.resolve("README.md"), link))
                        .map(link -> ROOT.relativize(source) + ": " + link))
            .toList();

    assertThat(broken).isEmpty();
  }

  @Test
  void missingPagesAndHeadingsAreFound() {
    Path readme = ROOT.resolve("README.md");

    assertThat(resolves(readme, "docs/redis.md#rights")).isTrue();
    assertThat(resolves(readme, "docs/redis.md#no-such-heading")).isFalse();
    assertThat(resolves(readme, "docs/no-such-page.md")).isFalse();
    assertThat(anchors("# A `b` (c), [d-e](f)\n# A\n# A\n```\n# no\n```"))
        .containsExactlyInAnyOrder("a-b-c-d-e", "a", "a-1");
  }

  private static List<String> brokenIn(Path page) {
    String text = INLINE_CODE.matcher(withoutCodeBlocks(read(page))).replaceAll("");
    return LINK.matcher(text)
        .results()
        .map((MatchResult link) -> link.group(1))
        .filter(link -> !EXTERNAL.matcher(link).matches())
        .filter(link -> !resolves(page, link))
        .map(link -> ROOT.relativize(page) + ": " + link)
        .toList();
  }

  private static boolean resolves(Path page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target =
        file.isEmpty() ? page : Objects.requireNonNull(page.getParent()).resolve(file).normalize();
    return Files.exists(target)
        && (hash < 0 || anchors(read(target)).contains(link.substring(hash + 1)));
  }

  /** The anchors that GitHub gives to headings. */
  private static Set<String> anchors(String text) {
    Map<String, Integer> counts = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(withoutCodeBlocks(text))
        .results()
        .map((MatchResult heading) -> anchor(heading.group(1)))
        .forEach(
            anchor -> {
              int before = counts.merge(anchor, 1, Integer::sum) - 1;
              anchors.add(before == 0 ? anchor : anchor + "-" + before);
            });
    return anchors;
  }

  private static String anchor(String heading) {
    return LINKED_TEXT
        .matcher(heading)
        .replaceAll("$1")
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }

  private static String withoutCodeBlocks(String text) {
    return CODE_BLOCK.matcher(text).replaceAll("");
  }

  private static Stream<Path> pages() {
    return walk("md");
  }

  /** The project's own files with one of these endings. */
  private static Stream<Path> walk(String... endings) {
    Set<String> wanted = Set.of(endings);
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> wanted.contains(ending(file)))
          .filter(file -> Stream.of("/target/", "/.").noneMatch(part -> isBelow(file, part)))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isBelow(Path file, String part) {
    return ("/" + ROOT.relativize(file)).contains(part);
  }

  private static String ending(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
