package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.FenceSection.Ungated;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading of the fences of a configuration. */
class FenceReaderTest {
  @TempDir Path folder;

  private ConfigFixture fences(String list) {
    return new ConfigFixture(folder).with("fences = " + list);
  }

  @Test
  void defaultIsNoFence() {
    assertThat(new ConfigFixture(folder).file(ConfigFixture.RIGHT).load().protection().fences())
        .isEmpty();
  }

  @Test
  void fenceDefaultsToTheOnlyElectionAndItsOwnDatabase() {
    FenceSection fence =
        fences("[ { id = main, url = \"jdbc:postgresql://db/app\", user = app } ]")
            .load()
            .protection()
            .fences()
            .get(0);

    assertThat(fence.id()).isEqualTo("main");
    assertThat(fence.election()).isEqualTo("writer");
    assertThat(fence.ungated()).isEqualTo(Ungated.FENCE);
    assertThat(fence.plan().scope()).isEqualTo("orders:writer");
    assertThat(fence.plan().writerTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(fence.plan().covers(server("db"), "app")).isTrue();
    assertThat(fence.plan().covers(server("db"), "app2")).isFalse();
    assertThat(fence.plan().isHome(server("db"), "app")).isTrue();
  }

  private static InetSocketAddress server(String host) {
    return InetSocketAddress.createUnresolved(host, 5432);
  }

  @Test
  void checkWarnsAboutMatchWithAnyHost() {
    String fence = "id = main, url = \"jdbc:postgresql://db/app\", user = app, match = \"%s\"";

    assertThat(
            fences("[ { " + fence.formatted("jdbc:postgresql://*.local/app") + " } ]")
                .load()
                .files()
                .warnings())
        .anyMatch(text -> text.startsWith("fence main: match jdbc:postgresql://*.local/app has *"));
    assertThat(
            fences("[ { " + fence.formatted("jdbc:postgresql://pooler:6432/*") + " } ]")
                .load()
                .files()
                .warnings())
        .isEmpty();
  }

  @Test
  void overrideAddressesAFenceByItsId() {
    FenceSection fence =
        fences("[ { id = main, url = \"jdbc:postgresql://db/app\", user = app } ]")
            .property("portcullis.fence.main.ungated", "pass")
            .variable("PORTCULLIS__fence__main__wait", "200ms")
            .load()
            .protection()
            .fences()
            .get(0);

    assertThat(fence.ungated()).isEqualTo(Ungated.PASS);
    assertThat(fence.plan().writerTimeout()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void allProblemsAreReportedAtOnceWithTheirPlaces() {
    String message =
        fences(
                """
                [
                  { id = main, url = "jdbc:mysql://db/app", user = app, wiat = 1s }
                  { id = main, url = "jdbc:postgresql://db/app", user = app, election = reader }
                  { id = far, url = "jdbc:postgresql://db/app", user = app, match = "db/app" }
                  { id = slow, url = "jdbc:postgresql://db/app", user = app, wait = 40s }
                  { id = twin, url = "jdbc:postgresql://db/app", user = app, wait = 40s }
                  main
                ]
                """)
            .message();

    assertThat(message)
        .contains("portcullis.fence.main.wiat")
        .contains("did you mean wait?")
        .contains("portcullis.fence.main.url")
        .contains("is the id of the fence at")
        .contains("there is no such election")
        .contains("portcullis.fence.far.match")
        .contains("portcullis.fence.slow.wait")
        .contains("at most half of that")
        .contains("uses the same row as fence slow")
        .contains("a fence is a section");
  }

  @Test
  void listCannotBeSetItemByItem() {
    assertThat(
            fences("[]").property("portcullis.fences.0.url", "jdbc:postgresql://db/app").message())
        .contains("fences are addressed by id");
  }

  @Test
  void fencesOutsideEnforceModeCauseWarning() {
    assertThat(
            new ConfigFixture(folder)
                .with(
                    "mode = observe\nfences = [ { id = main, url = \"jdbc:postgresql://db/app\","
                        + " user = app } ]")
                .load()
                .files()
                .warnings())
        .anyMatch(text -> text.contains("fence main: nothing is installed or checked"));
  }

  @Test
  void passwordsInTheFileAreRefusedAndNotShown() {
    String message =
        fences(
                "[ { id = main, url = \"jdbc:postgresql://db/app\", user = app, password ="
                    + " \"hunter2-hunter2\" } ]")
            .message();

    assertThat(message).contains("portcullis.fence.main.password").doesNotContain("hunter2");
  }
}
