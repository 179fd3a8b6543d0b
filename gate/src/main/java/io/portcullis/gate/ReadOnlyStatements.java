package io.portcullis.gate;

import io.portcullis.gate.sql.SqlClassifier;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks, for woven JDBC drivers and pools, which statements only read. The SQL of a prepared
 * statement is classified when it is prepared, and read-only statements are remembered for as long
 * as they live; all others count as writing statements.
 */
public final class ReadOnlyStatements {
  private static final Set<Key> READS = ConcurrentHashMap.newKeySet();
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  private ReadOnlyStatements() {}

  /** Compares statements by identity, whatever their class defines as equal. */
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

  /** Records that a statement was prepared with this SQL. */
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
   * @param arguments arguments of the call: the first is the SQL; if there are none, the statement
   *     was prepared
   */
  public static boolean onlyReads(Object statement, Object[] arguments) {
    return arguments.length == 0
        ? READS.contains(new Key(statement, null))
        : arguments[0] instanceof String sql && SqlClassifier.onlyReads(sql);
  }
}
