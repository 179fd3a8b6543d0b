package io.portcullis.gate;

import io.portcullis.gate.sql.SqlClassifier;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What woven JDBC drivers and pools ask and tell: which statements only read. Of prepared ones the
 * text is seen when they are prepared, and those that only read are remembered for as long as they
 * live; all others count as ones that write.
 */
public final class ReadOnlyStatements {
  private static final Set<Key> READS = ConcurrentHashMap.newKeySet();
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  private ReadOnlyStatements() {}

  /** A statement is itself and no other, whatever its class takes for equal. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object statement, @Nullable ReferenceQueue<Object> queue) {
      super(statement, queue);
      this.hash = System.identityHashCode(statement);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object statement = get();
      return statement != null && other instanceof Key key && key.refersTo(statement);
    }
  }

  /** Tells that a statement was prepared with this text. */
  public static void prepared(@Nullable Object statement, @Nullable String sql) {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      READS.remove(gone);
    }
    if (statement == null) {
      return;
    }
    if (sql != null && SqlClassifier.onlyReads(sql)) {
      READS.add(new Key(statement, GONE));
    } else {
      READS.remove(new Key(statement, null)); // A pool may prepare the same object again.
    }
  }

  /**
   * Whether executing the statement only reads.
   *
   * @param arguments of the call: the text comes first; if there is none, it was prepared
   */
  public static boolean onlyReads(Object statement, Object[] arguments) {
    return arguments.length == 0
        ? READS.contains(new Key(statement, null))
        : arguments[0] instanceof String sql && SqlClassifier.onlyReads(sql);
  }
}
