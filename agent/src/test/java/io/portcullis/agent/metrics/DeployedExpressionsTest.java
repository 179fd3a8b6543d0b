package io.portcullis.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.ConfigFactory;
import io.portcullis.agent.node.NodeViewFixtures;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests that alerts and dashboard use only metrics that a node exports. */
class DeployedExpressionsTest {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final Path ALERTS = DEPLOY.resolve("prometheus").resolve("portcullis.rules.yml");
  private static final Path DASHBOARD = DEPLOY.resolve("grafana").resolve("portcullis.json");
  private static final Set<String> OF_THE_SCRAPER = Set.of("job", "instance");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

  /** Labels and their values by metric, as exported by a node. */
  private static Map<String, Map<String, Set<String>>> exported() {
    String text =
        PrometheusExporter.of(
            NodeViewFixtures.node(
                List.of(
                    NodeViewFixtures.leading("writer"),
                    NodeViewFixtures.degraded("third", "no disk")),
                List.of(NodeViewFixtures.rule("orders", RuleState.ARMED))));
    Map<String, Map<String, Set<String>>> exported = new TreeMap<>();
    for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
      Map<String, Set<String>> labels =
          exported.computeIfAbsent(line.split("[{ ]", 2)[0], name -> new TreeMap<>());
      Matcher label = LABEL.matcher(line);
      while (label.find()) {
        labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(2));
      }
    }
    return exported;
  }

  static Stream<String> expressions() throws IOException {
    List<String> found = new ArrayList<>();
    collect(yaml(ALERTS), "expr", found);
    collect(ConfigFactory.parseFile(DASHBOARD.toFile()).root().unwrapped(), "expr", found);
    return found.stream();
  }

  private static @Nullable Object yaml(Path file) throws IOException {
    return new Load(LoadSettings.builder().build())
        .loadFromString(Files.readString(file, StandardCharsets.UTF_8));
  }

  /** All values of this key, at any depth. */
  private static void collect(@Nullable Object value, String wanted, List<String> found) {
    if (value instanceof Map<?, ?> fields) {
      fields.forEach(
          (key, child) -> {
            if (key.equals(wanted) && child instanceof String text) {
              found.add(text);
            } else {
              collect(child, wanted, found);
            }
          });
    } else if (value instanceof List<?> list) {
      list.forEach(child -> collect(child, wanted, found));
    }
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void everyExpressionUsesExportedMetrics(String text) {
    PromQlExpression expression = PromQlExpression.of(text);
    Map<String, Map<String, Set<String>>> exported = exported();
    Set<String> known = new TreeSet<>(OF_THE_SCRAPER);

    assertThat(expression.selections()).isNotEmpty();
    for (PromQlExpression.Selection selection : expression.selections()) {
      assertThat(exported).containsKey(selection.metric());
      Map<String, Set<String>> labels = Objects.requireNonNull(exported.get(selection.metric()));
      known.addAll(labels.keySet());
      selection
          .matchers()
          .forEach(
              (label, values) -> {
                if (!OF_THE_SCRAPER.contains(label)) {
                  assertThat(labels).as(selection.metric()).containsKey(label);
                }
                if (label.equals("state")) {
                  assertThat(labels.get(label)).as(text).containsAll(values);
                }
              });
    }
    assertThat(known).as(text).containsAll(expression.groupings());
  }

  @Test
  void invalidExpressionsAreRejected() {
    assertThatThrownBy(() -> PromQlExpression.of("sum by (job (portcullis_epoch)"))
        .hasMessageContaining("brackets");
    assertThatThrownBy(() -> PromQlExpression.of("portcullis_epoch > 1 § 2"))
        .hasMessageContaining("§");
  }

  @Test
  void everyAlertHasASectionInTheRunbook() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operations.md"), StandardCharsets.UTF_8);
    List<String> names = new ArrayList<>();
    List<String> runbooks = new ArrayList<>();
    collect(yaml(ALERTS), "alert", names);
    collect(yaml(ALERTS), "runbook", runbooks);

    assertThat(names).hasSizeGreaterThan(5).allMatch(name -> page.contains("### " + name + "\n"));
    assertThat(runbooks)
        .map(runbook -> runbook.replace("docs/operations.md#", ""))
        .containsExactlyElementsOf(
            names.stream().map(name -> name.toLowerCase(java.util.Locale.ROOT)).toList());
  }

  @Test
  void promtoolFiresEachAlert() throws IOException, InterruptedException {
    boolean there =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    assumeTrue(there, "alerts not evaluated: promtool is not on the PATH");
    Process promtool =
        new ProcessBuilder("promtool", "test", "rules", "portcullis.tests.yml")
            .directory(Objects.requireNonNull(ALERTS.getParent()).toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(promtool.exitValue()).as(said).isZero();
  }
}
