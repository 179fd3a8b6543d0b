package io.portcullis.fencing.protocol;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Queue of the messages that were sent and have no response yet, oldest first. */
final class PendingReplies {
  private static final int MAX_COUNT = 1 << 20;

  private MessageKind[] kinds = new MessageKind[64];
  private @Nullable Object[] subjects = new @Nullable Object[64];
  private int head;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** Kind of the oldest message; null if all have a response. */
  @Nullable MessageKind first() {
    return size == 0 ? null : kinds[head];
  }

  /** Object that was added with the oldest message, null if none. */
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

  /** Removes the Syncs that directly follow the oldest message; returns their number. */
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
      throw new ProtocolViolationException("too many messages are unanswered.");
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

  /** Kinds of messages that the server responds to, distinguished by their responses. */
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
    /** A statement that certainly fails, in place of one that is refused. */
    OUR_REFUSAL(true),
    /** A query of the fence that is sent by itself and has its own response. */
    OUR_QUERY(true);

    private final boolean ours;

    MessageKind(boolean ours) {
      this.ours = ours;
    }

    /** Whether the fence sent it, so that the driver must not see the response. */
    boolean isOurs() {
      return ours;
    }

    /** Whether the server responds to it with ReadyForQuery, which ends a group of messages. */
    boolean endsGroup() {
      return this == SYNC || this == QUERY || this == FUNCTION || this == OUR_QUERY;
    }
  }
}
