package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.ReferenceConfig;
import io.portcullis.backend.postgres.fence.PostgresFenceProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page for people names the keys and defaults that the references have, no more, no fewer. */
class ConfigurationPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (?:`([^`]+)`|–) \\|.*");

  @Test
  void pageListsEveryKeyOfTheAgent() throws IOException {
    ConfigSection agent = ReferenceConfig.nextTo(AgentConfig.class);

    assertThat(onPage("Keys of the agent")).isEqualTo(keys(agent.section("portcullis")));
    assertThat(onPage("Keys of each election")).isEqualTo(keys(agent.section("election")));
    assertThat(onPage("Keys of each rule")).isEqualTo(keys(agent.section("rule")));
    assertThat(onPage("Keys of each fence"))
        .isEqualTo(
            keys(agent.section("fence").with(ReferenceConfig.of(new PostgresFenceProvider()))));
  }

  @Test
  void pageListsEveryKeyOfEachBackend() throws IOException {
    for (Path file : references()) {
      ConfigSection reference = ReferenceConfig.parse(Files.readString(file));
      String name =
          reference.children().keySet().stream()
              .filter(key -> !key.equals("timing"))
              .findFirst()
              .orElseThrow();

      assertThat(onPage("Keys of backend " + name)).as("%s", file).isEqualTo(keys(reference));
    }
  }

  private static List<Path> references() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("backends"))) {
      return files
          .filter(file -> file.endsWith("reference.conf"))
          .filter(file -> file.toString().replace('\\', '/').contains("/src/main/"))
          .toList();
    }
  }

  private static Map<String, String> onPage(String heading) throws IOException {
    Map<String, String> keys = new TreeMap<>();
    boolean within = false;
    for (String line : Files.readAllLines(ROOT.resolve("docs/configuration.md"))) {
      within = line.startsWith("#") ? line.equals("## " + heading) : within;
      Matcher row = ROW.matcher(line);
      if (within && row.matches()) {
        keys.put(row.group(1), row.group(2) == null ? "–" : row.group(2));
      }
    }
    return keys;
  }

  private static Map<String, String> keys(ConfigSection reference) {
    Map<String, String> keys = new TreeMap<>();
    collect("", reference, keys);
    return keys;
  }

  private static void collect(String prefix, ConfigSection section, Map<String, String> keys) {
    section
        .children()
        .forEach(
            (key, node) -> {
              if (node instanceof ConfigSection inner && !inner.children().isEmpty()) {
                collect(prefix + key + ".", inner, keys);
              } else if (node instanceof ConfigSection) {
                keys.put(prefix + key, "{}");
              } else {
                keys.put(prefix + key, node.isUnset() ? "–" : String.valueOf(node.written()));
              }
            });
  }
}
