package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.Timing;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Wish;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NewsTest {
  private static final Timing TIMING = Timing.builder().lease(Duration.ofSeconds(6)).build();
  private static final Wish WISH = new Wish("b", 5, 7, Duration.ofSeconds(60));

  private final PostgresPlan plan = Site.on(SharedPostgres.SERVER).plan(TIMING);
  private final PostgresPlan elsewhere = Site.on(SharedPostgres.SERVER).plan(TIMING);

  @Test
  void whatIsTakenOrReleasedConcernsAllButWhoDidIt() {
    String text = News.text(plan, new Request.Release("a", 7, "life"));

    assertThat(text).isEqualTo(News.text(plan, "a", 7));
    assertThat(News.concerns(plan, "a", text)).isFalse();
    assertThat(News.concerns(plan, "b", text)).isTrue();
    assertThat(News.concerns(elsewhere, "b", text)).isFalse();
  }

  @Test
  void aReleaseForSomebodyConcernsThatOneAlone() {
    String text = News.text(plan, new Request.Release("a", 7, "life", "b"));

    assertThat(News.concerns(plan, "b", text)).isTrue();
    assertThat(News.concerns(plan, "c", text)).isFalse();
    assertThat(News.concerns(elsewhere, "b", text)).isFalse();
  }

  @Test
  void aWishIsHeardInItsElectionAndWakesNobody() {
    String text = News.text(plan, WISH);

    assertThat(News.wishIn(plan, text)).isEqualTo(WISH);
    assertThat(News.wishIn(elsewhere, text)).isNull();
    assertThat(News.wishIn(plan, News.text(plan, "a", 7))).isNull();
    assertThat(News.concerns(plan, "a", text)).isFalse();
  }
}
