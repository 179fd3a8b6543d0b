package io.portcullis.fencing.protocol;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The messages that were sent and not yet answered, the oldest first. */
final class PendingReplies {
  private static final int MAX_COUNT = 1 << 20;

  private MessageKind[] kinds = new MessageKind[64];
  private @Nullable Object[] subjects = new @Nullable Object[64];
  private int head;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The oldest; null if all are answered. */
  @Nullable MessageKind first() {
    return size == 0 ? null : kinds[head];
  }

  /** What the oldest is about. */
  @Nullable Object subject() {
    return subjects[head];
  }

  void add(MessageKind kind, @Nullable Object subject) throws ProtocolViolationException {
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
    MessageKind first = kinds[head];
    Object subject = subjects[head];
    int dropped = 0;
    while (size > 1 && kinds[(head + 1) & (kinds.length - 1)] == MessageKind.SYNC) {
      pop();
      dropped++;
    }
    kinds[head] = first;
    subjects[head] = subject;
    return dropped;
  }

  private void grow() throws ProtocolViolationException {
    if (size == MAX_COUNT) {
      throw new ProtocolViolationException("too many messages wait for an answer.");
    }
    MessageKind[] moreKinds = Arrays.copyOf(kinds, size * 2);
    @Nullable Object[] moreSubjects = Arrays.copyOf(subjects, size * 2);
    for (int i = 0; i < size; i++) {
      moreKinds[i] = kinds[(head + i) & (size - 1)];
      moreSubjects[i] = subjects[(head + i) & (size - 1)];
    }
    kinds = moreKinds;
    subjects = moreSubjects;
    head = 0;
  }

  /** The messages that the server answers, by what it answers to them. */
  enum MessageKind {
    PARSE(false),
    BIND(false),
    CLOSE(false),
    DESCRIBE_STATEMENT(false),
    DESCRIBE(false),
    EXECUTE(false),
    SYNC(false),
    QUERY(false),
    FUNCTION(false),
    OUR_PARSE(true),
    OUR_BIND(true),
    OUR_CLOSE(true),
    OUR_EXECUTE(true),
    /** A statement that surely fails, in place of one that is refused. */
    OUR_REFUSAL(true),
    /** A text of ours that is sent and answered by itself. */
    OUR_QUERY(true);

    private final boolean ours;

    MessageKind(boolean ours) {
      this.ours = ours;
    }

    /** Whether the driver knows nothing of it. */
    boolean isOurs() {
      return ours;
    }

    /** Whether it ends with the server's being ready, and so a group of messages. */
    boolean endsGroup() {
      return this == SYNC || this == QUERY || this == FUNCTION || this == OUR_QUERY;
    }
  }
}
