package io.portcullis.fencing.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The messages that were sent and not yet answered, the oldest first. */
final class Pending {
  private static final int MOST = 1 << 20;

  private Kind[] kinds = new Kind[64];
  private @Nullable Object[] subjects = new @Nullable Object[64];
  private int head;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The oldest; null if all are answered. */
  @Nullable Kind first() {
    return size == 0 ? null : kinds[head];
  }

  /** What the oldest is about. */
  @Nullable Object subject() {
    return subjects[head];
  }

  void add(Kind kind, @Nullable Object subject) throws Surprise {
    if (size == kinds.length) {
      grow();
    }
    int tail = (head + size) & (kinds.length - 1);
    kinds[tail] = kind;
    subjects[tail] = subject;
    size++;
  }

  void pop() {
    subjects[head] = null;
    head = (head + 1) & (kinds.length - 1);
    size--;
  }

  /** Takes out the Syncs that follow the oldest message directly, and says how many they were. */
  int dropSyncsBehindFirst() {
    Kind first = kinds[head];
    Object subject = subjects[head];
    int dropped = 0;
    while (size > 1 && kinds[(head + 1) & (kinds.length - 1)] == Kind.SYNC) {
      pop();
      dropped++;
    }
    kinds[head] = first;
    subjects[head] = subject;
    return dropped;
  }

  private void grow() throws Surprise {
    if (size == MOST) {
      throw new Surprise("too many messages wait for an answer.");
    }
    Kind[] moreKinds = Arrays.copyOf(kinds, size * 2);
    @Nullable Object[] moreSubjects = Arrays.copyOf(subjects, size * 2);
    for (int i = 0; i < size; i++) {
      moreKinds[i] = kinds[(head + i) & (size - 1)];
      moreSubjects[i] = subjects[(head + i) & (size - 1)];
    }
    kinds = moreKinds;
    subjects = moreSubjects;
    head = 0;
  }
}
