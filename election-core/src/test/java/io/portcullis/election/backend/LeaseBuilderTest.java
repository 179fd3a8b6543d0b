package io.portcullis.election.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.store.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A builder of a backend whose reference.conf has a key of each kind. */
class LeaseBuilderTest {
  @TempDir Path folder;

  @Test
  void unsetOptionsHaveTheDefaultsOfReferenceConf() {
    ShelfPlan plan = new ShelfBuilder().label("a").build();

    assertThat(plan.timing()).isEqualTo(Timing.builder().drain(Duration.ofMillis(500)).build());
    assertThat(plan.text()).isEqualTo("first, from the left a 0 true null {}");
  }

  @Test
  void setOptionsAreUsed() throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), "hush\n");

    ShelfPlan plan =
        new ShelfBuilder()
            .label("a")
            .place("below")
            .copies(3)
            .sorted(false)
            .secretFile(file)
            .row("b", "second")
            .row("a", "first")
            .lease(Duration.ofSeconds(9))
            .askTimeout(Duration.ofSeconds(1))
            .drift(0.02)
            .longestLease(Duration.ofSeconds(11))
            .firstElection(FirstElection.AFTER_LEASE)
            .drain(Duration.ofSeconds(2))
            .build();

    assertThat(plan.text()).isEqualTo("below a 3 false hush {b=second, a=first}");
    assertThat(plan.timing())
        .isEqualTo(
            Timing.builder()
                .lease(Duration.ofSeconds(9))
                .askTimeout(Duration.ofSeconds(1))
                .drift(0.02)
                .longestLease(Duration.ofSeconds(11))
                .firstElection(FirstElection.AFTER_LEASE)
                .drain(Duration.ofSeconds(2))
                .build());
  }

  @Test
  void allProblemsAreReportedAtOnceByTheNamesOfTheOptions() {
    ShelfBuilder builder =
        new ShelfBuilder()
            .place(" ")
            .copies(1000)
            .secret("hush")
            .secretFile(folder.resolve("none"))
            .lease(Duration.ZERO)
            .askTimeout(Duration.ofSeconds(-1))
            .drift(2);

    assertThat(problems(builder))
        .containsExactlyInAnyOrder(
            "lease is PT0S; it must be longer than nothing.",
            "askTimeout is PT-1S; it must be longer than nothing.",
            "drift is 2.0; it must be a fraction from 0 to 1, such as 0.01.",
            "place is empty.",
            "copies is 1000; it must be from 0 to 9.",
            "secret is set besides secretFile; set one.",
            "label is missing: what is on the shelf.");
  }

  @Test
  void impossibleTimingIsReportedBesidesMissingValues() {
    ShelfBuilder builder =
        new ShelfBuilder()
            .lease(Duration.ofSeconds(3))
            .longestLease(Duration.ofSeconds(2))
            .secretFile(folder.resolve("none"));

    assertThat(problems(builder))
        .anyMatch(problem -> problem.startsWith("longest-lease 2s must not be shorter"))
        .anyMatch(problem -> problem.matches("secretFile can't be read: .*none does not exist.*"))
        .anyMatch(problem -> problem.startsWith("label is missing"));
  }

  @Test
  void nullUnsetsAnOption() {
    @Nullable String none = System.getenv("PORTCULLIS_TEST_NO_SUCH_VARIABLE");

    assertThat(problems(new ShelfBuilder().label("a").label(none)))
        .containsExactly("label is missing: what is on the shelf.");
  }

  @Test
  void unknownLinesOfReferenceConfAreErrors() {
    assertThatThrownBy(() -> ReferenceConf.parse("timing { lease = 30s }"))
        .hasMessageContaining("can't read this line");
    assertThatThrownBy(() -> ReferenceConf.parse("timing {")).hasMessageContaining("is open");
    assertThatThrownBy(() -> ReferenceConf.parse("lease = 30s").get("renew"))
        .hasMessageContaining("no key renew");
  }

  private static List<String> problems(ShelfBuilder builder) {
    try {
      builder.build();
    } catch (InvalidElectionException e) {
      assertThat(e).hasMessageStartingWith("invalid shelf lease: ");
      return e.problems();
    }
    throw new AssertionError("not refused");
  }

  private record ShelfPlan(Timing timing, String text) implements StorePlan {
    @Override
    public String storeKey() {
      return text;
    }

    @Override
    public String describe() {
      return text;
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      throw new AssertionError("opened");
    }
  }

  private static final class ShelfBackend implements Backend {
    @Override
    public String name() {
      return "shelf";
    }

    @Override
    public @Nullable ShelfPlan plan(String service, String election, Settings settings) {
      Settings section = settings.section("timing");
      Timing timing = LeaseTiming.build(LeaseTiming.read(section), section);
      Settings shelf = settings.section("shelf");
      String text =
          String.join(
              " ",
              shelf.text("place"),
              shelf.optionalText("label").orElse("none"),
              Long.toString(shelf.number("copies", 0, 9)),
              Boolean.toString(shelf.flag("sorted")),
              String.valueOf(shelf.secret("secret").map(Secret::current).orElse(null)),
              shelf.entries("rows").toString());
      return timing == null ? null : new ShelfPlan(timing, text);
    }
  }

  private static final class ShelfBuilder extends LeaseBuilder<ShelfBuilder> {
    ShelfBuilder() {
      super(new ShelfBackend());
    }

    @Override
    protected ShelfBuilder self() {
      return this;
    }

    ShelfBuilder place(String value) {
      return set("shelf.place", value);
    }

    ShelfBuilder label(@Nullable String value) {
      return set("shelf.label", value);
    }

    ShelfBuilder copies(long value) {
      return set("shelf.copies", value);
    }

    ShelfBuilder sorted(boolean value) {
      return set("shelf.sorted", value);
    }

    ShelfBuilder secret(String value) {
      return setSecret("shelf.secret", value);
    }

    ShelfBuilder secretFile(Path value) {
      return set("shelf.secret-file", value);
    }

    ShelfBuilder row(String id, String value) {
      return set("shelf.rows." + id, value);
    }

    ShelfPlan build() {
      return plan(
          settings -> new ShelfBackend().plan("", "", settings),
          Map.of("shelf.label", "what is on the shelf"));
    }
  }
}
