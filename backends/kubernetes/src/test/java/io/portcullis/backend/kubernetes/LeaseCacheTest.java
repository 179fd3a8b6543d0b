package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.heldByA;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests which replies and watch events change the cached Lease. */
class LeaseCacheTest {
  private final List<String> changes = new ArrayList<>();
  private final LeaseCache cache =
      new LeaseCache(
          new LeaseCache.ChangeListener() {
            @Override
            public void changed(LeaseDocument lease) {
              changes.add(lease.resourceVersion());
            }

            @Override
            public void deleted() {
              changes.add("deleted");
            }

            @Override
            public void unclear() {
              changes.add("unclear");
            }
          });

  /** A version whose contents differ with it. */
  private static LeaseDocument lease(String version) {
    return heldByA().version(version).renewed("at " + version).document();
  }

  private String latest() {
    LeaseDocument lease = Objects.requireNonNull(cache.latest()).lease();
    return lease == null ? "none" : lease.resourceVersion();
  }

  @Test
  void cacheStartsEmpty() {
    assertThat(cache.latest()).isNull();
    assertThat(cache.watchSeemsDead()).isFalse();
  }

  @Test
  void watchEventIsAChangeAndCurrentFromItsArrival() {
    cache.onReply(lease("5"), 10, 20);

    cache.onWatchEvent(lease("6"), 30);

    assertThat(changes).containsExactly("6");
    assertThat(Objects.requireNonNull(cache.latest()).arrivedNanos()).isEqualTo(30);
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void replyIsNoChange() {
    cache.onReply(lease("5"), 10, 20);
    cache.onReply(lease("6"), 30, 40);

    assertThat(changes).isEmpty();
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void eventsThatAreNotNewerAreIgnored() {
    cache.onReply(lease("10"), 10, 20);

    cache.onWatchEvent(lease("9"), 30);
    cache.onWatchEvent(lease("10"), 40);

    assertThat(changes).isEmpty();
    assertThat(latest()).isEqualTo("10");
    assertThat(Objects.requireNonNull(cache.latest()).arrivedNanos()).isEqualTo(20);
  }

  @Test
  void ownWriteIsNoChangeEvenIfItsEventComesFirst() {
    cache.onReply(lease("5"), 10, 20);
    LeaseDocument written = lease("6");
    cache.writing(written.version());

    cache.onWatchEvent(written, 30);
    cache.onReply(written, 25, 40);

    assertThat(changes).isEmpty();
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void writeOfAnotherNodeDuringAnOwnWriteIsAChange() {
    cache.onReply(lease("5"), 10, 20);
    cache.writing(lease("6").version());

    cache.onWatchEvent(heldByA().version("6").renewed("of another").document(), 30);

    assertThat(changes).containsExactly("6");
  }

  @Test
  void labelIsNoChangeButItsVersionIsReplaced() {
    cache.onReply(lease("5"), 10, 20);

    cache.onWatchEvent(heldByA().version("6").renewed("at 5").note("team", "shop").document(), 30);

    assertThat(changes).isEmpty();
    assertThat(latest()).isEqualTo("6");
  }

  @Test
  void deletionIsAChangeOnce() {
    cache.onReply(lease("5"), 10, 20);

    cache.onWatchDeletion(lease("6"), 30);
    cache.onWatchDeletion(lease("6"), 40);

    assertThat(changes).containsExactly("deleted");
    assertThat(latest()).isEqualTo("none");
  }

  @Test
  void deletionOfAnEarlierObjectIsNoChange() {
    cache.onReply(heldByA().uid("uid-2").version("9").document(), 10, 20);

    cache.onWatchDeletion(lease("6"), 30);

    assertThat(changes).isEmpty();
    assertThat(latest()).isEqualTo("9");
  }

  @Test
  void leaseMadeAfterADeletionSupersedesTheOldOne() {
    cache.onReply(lease("5"), 10, 20);
    cache.onWatchDeletion(lease("6"), 30);

    cache.onWatchEvent(lease("5"), 40);
    cache.onWatchEvent(heldByA().uid("uid-2").version("7").document(), 50);

    assertThat(changes).containsExactly("deleted", "7");
    assertThat(latest()).isEqualTo("7");
  }

  @Test
  void replyOlderThanTheWatchIsIgnored() {
    cache.onReply(lease("5"), 10, 20);
    cache.onWatchEvent(lease("7"), 35);

    cache.onReply(lease("6"), 30, 40);
    assertThat(latest()).isEqualTo("7");
    cache.onReply(null, 30, 50);
    assertThat(latest()).isEqualTo("7");

    cache.onWatchDeletion(lease("8"), 60);
    cache.onReply(lease("7"), 55, 70);
    assertThat(latest()).isEqualTo("none");
  }

  @Test
  void replyToALaterRequestCounts() {
    cache.onReply(lease("5"), 10, 20);
    cache.onWatchDeletion(lease("6"), 30);

    cache.onReply(heldByA().uid("uid-2").version("7").document(), 31, 40);
    assertThat(latest()).isEqualTo("7");
    cache.onReply(null, 41, 50);
    assertThat(latest()).isEqualTo("none");
  }

  @Test
  void eventWithNonNumericVersionIsOnlyAHint() {
    cache.onReply(lease("5"), 10, 20);

    cache.onWatchEvent(lease("abc"), 30);

    assertThat(changes).containsExactly("unclear");
    assertThat(cache.latest()).isNull();
  }

  @Test
  void watchSilentWhileRepliesChangeIsConsideredDead() {
    cache.onReply(lease("1"), 10, 20);
    for (long i = 2; i < 5; i++) {
      cache.onReply(lease(Long.toString(i)), 10 * i, 10 * i + 1);
      cache.onReply(lease(Long.toString(i)), 10 * i + 2, 10 * i + 3);
      assertThat(cache.watchSeemsDead()).isFalse();
    }
    cache.onReply(lease("5"), 60, 61);
    assertThat(cache.watchSeemsDead()).isTrue();

    cache.watchOpened();
    assertThat(cache.watchSeemsDead()).isFalse();
  }

  @Test
  void watchThatDeliversEventsIsConsideredAlive() {
    for (long i = 1; i < 20; i++) {
      cache.onReply(lease(Long.toString(i)), 10 * i, 10 * i + 1);
      cache.onWatchEvent(lease(Long.toString(i)), 10 * i + 2);
    }

    assertThat(cache.watchSeemsDead()).isFalse();
  }
}
