package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.LeaseJson.heldByA;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What counts of all that replies and the watch tell. */
class LeaseCacheTest {
  private final List<String> news = new ArrayList<>();
  private final LeaseCache window =
      new LeaseCache(
          new LeaseCache.News() {
            @Override
            public void changed(LeaseDocument lease) {
              news.add(lease.resourceVersion());
            }

            @Override
            public void deleted() {
              news.add("deleted");
            }

            @Override
            public void unclear() {
              news.add("unclear");
            }
          });

  /** A version whose contents differ with it. */
  private static LeaseDocument lease(String version) {
    return heldByA().version(version).renewed("at " + version).document();
  }

  private String latest() {
    LeaseDocument lease = Objects.requireNonNull(window.latest()).lease();
    return lease == null ? "none" : lease.resourceVersion();
  }

  @Test
  void nothingIsKnownAtFirst() {
    assertThat(window.latest()).isNull();
    assertThat(window.watchSeemsDead()).isFalse();
  }

  @Test
  void whatTheWatchTellsIsNewsAndKnownFromItsArrival() {
    window.replied(lease("5"), 10, 20);

    window.heard(lease("6"), 30);

    assertThat(news).containsExactly("6");
    assertThat(Objects.requireNonNull(window.latest()).arrivedNanos()).isEqualTo(30);
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void aReplyIsNoNews() {
    window.replied(lease("5"), 10, 20);
    window.replied(lease("6"), 30, 40);

    assertThat(news).isEmpty();
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void eventsThatAreNotNewerAreIgnored() {
    window.replied(lease("10"), 10, 20);

    window.heard(lease("9"), 30);
    window.heard(lease("10"), 40);

    assertThat(news).isEmpty();
    assertThat(latest()).isEqualTo("10");
    assertThat(Objects.requireNonNull(window.latest()).arrivedNanos()).isEqualTo(20);
  }

  @Test
  void theOwnWriteIsNoNewsAlsoIfItsEventComesBeforeItsReply() {
    window.replied(lease("5"), 10, 20);
    LeaseDocument written = lease("6");
    window.writing(written.version());

    window.heard(written, 30);
    window.replied(written, 25, 40);

    assertThat(news).isEmpty();
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void anotherNodesWriteIsNewsWhileOneIsWriting() {
    window.replied(lease("5"), 10, 20);
    window.writing(lease("6").version());

    window.heard(heldByA().version("6").renewed("of another").document(), 30);

    assertThat(news).containsExactly("6");
  }

  @Test
  void aLabelOnTheObjectIsNoNewsButItsVersionIsTheOneToReplace() {
    window.replied(lease("5"), 10, 20);

    window.heard(heldByA().version("6").renewed("at 5").note("team", "shop").document(), 30);

    assertThat(news).isEmpty();
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void aDeletionIsNewsOnce() {
    window.replied(lease("5"), 10, 20);

    window.heardOfDeletion(lease("6"), 30);
    window.heardOfDeletion(lease("6"), 40);

    assertThat(news).containsExactly("deleted");
    assertThat(latest()).isEqualTo("none");
  }

  @Test
  void theDeletionOfAnEarlierObjectIsNone() {
    window.replied(heldByA().uid("uid-2").version("9").document(), 10, 20);

    window.heardOfDeletion(lease("6"), 30);

    assertThat(news).isEmpty();
    assertThat(latest()).isEqualTo("9");
  }

  @Test
  void aLeaseMadeAfterADeletionIsNewsAndStragglersOfTheOldOneAreNot() {
    window.replied(lease("5"), 10, 20);
    window.heardOfDeletion(lease("6"), 30);

    window.heard(lease("5"), 40);
    window.heard(heldByA().uid("uid-2").version("7").document(), 50);

    assertThat(news).containsExactly("deleted", "7");
    assertThat(latest()).isEqualTo("7");
  }

  @Test
  void aReplyOvertakenByTheWatchChangesNothing() {
    window.replied(lease("5"), 10, 20);
    window.heard(lease("7"), 35);

    window.replied(lease("6"), 30, 40);
    assertThat(latest()).isEqualTo("7");
    window.replied(null, 30, 50);
    assertThat(latest()).isEqualTo("7");

    window.heardOfDeletion(lease("8"), 60);
    window.replied(lease("7"), 55, 70);
    assertThat(latest()).isEqualTo("none");
  }

  @Test
  void aReplyToALaterQuestionCounts() {
    window.replied(lease("5"), 10, 20);
    window.heardOfDeletion(lease("6"), 30);

    window.replied(heldByA().uid("uid-2").version("7").document(), 31, 40);
    assertThat(latest()).isEqualTo("7");
    window.replied(null, 41, 50);
    assertThat(latest()).isEqualTo("none");
  }

  @Test
  void whereVersionsAreNoNumbersAnEventOnlySaysThatItIsTimeToLook() {
    window.replied(lease("5"), 10, 20);

    window.heard(lease("abc"), 30);

    assertThat(news).containsExactly("unclear");
    assertThat(window.latest()).isNull();
  }

  @Test
  void aWatchThatIsSilentWhileRepliesChangeSeemsDead() {
    window.replied(lease("1"), 10, 20);
    for (long i = 2; i < 5; i++) {
      window.replied(lease(Long.toString(i)), 10 * i, 10 * i + 1);
      window.replied(lease(Long.toString(i)), 10 * i + 2, 10 * i + 3);
      assertThat(window.watchSeemsDead()).isFalse();
    }
    window.replied(lease("5"), 60, 61);
    assertThat(window.watchSeemsDead()).isTrue();

    window.watchOpened();
    assertThat(window.watchSeemsDead()).isFalse();
  }

  @Test
  void aWatchThatSpeaksSeemsAlive() {
    for (long i = 1; i < 20; i++) {
      window.replied(lease(Long.toString(i)), 10 * i, 10 * i + 1);
      window.heard(lease(Long.toString(i)), 10 * i + 2);
    }

    assertThat(window.watchSeemsDead()).isFalse();
  }
}
