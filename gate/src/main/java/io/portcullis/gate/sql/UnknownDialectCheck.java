package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;

/**
 * Decides whether one statement only reads, whatever dialect its server has.
 *
 * <p>It must only read by the rules of Postgres, or begin with a word of another dialect that
 * begins no change. And none of its words may begin a change in any dialect, since SQL Server needs
 * no separator between two statements.
 */
final class UnknownDialectCheck {
  private static final KeywordTable<Boolean> CHANGES = new KeywordTable<>();
  private static final KeywordTable<Boolean> FUNCTIONS = new KeywordTable<>();
  private static final KeywordTable<Boolean> CHANGING_COLUMNS = new KeywordTable<>();
  private static final KeywordTable<KeywordTable<Boolean>> CHANGES_BEFORE = new KeywordTable<>();
  private static final KeywordTable<Boolean> SHARED_SETTINGS = new KeywordTable<>();
  private static final KeywordTable<Boolean> SHARED_SETTINGS_IF_FIRST = new KeywordTable<>();
  private static final KeywordTable<Boolean> SHARED_STATE = new KeywordTable<>();
  private static final KeywordTable<Boolean> COMMIT_OPTIONS = new KeywordTable<>();
  private static final KeywordTable<Boolean> READING_PRAGMAS = new KeywordTable<>();
  private static final KeywordTable<Boolean> WRITING_PRAGMAS = new KeywordTable<>();

  static {
    addAll(
        CHANGES,
        """
        insert update delete merge upsert into create alter drop truncate grant revoke deny call exec
        execute global persist persist_only backup restore dbcc reconfigure shutdown updatetext
        writetext receive nextval setval
        """);
    // They change sequences or files, or execute SQL that they are given.
    addAll(
        FUNCTIONS,
        """
        nextval setval openquery openrowset csvwrite file_write writefile load_extension link_schema
        """);
    // Oracle's pseudo-column of a sequence, whose name may be quoted.
    addAll(CHANGING_COLUMNS, "nextval");
    addPair("next", "value");
    addPair("enable disable", "trigger");
    addPair("send", "on");
    addPair("move end", "conversation");
    addPair("begin", "dialog conversation");
    addPair("add", "signature counter sensitivity");
    addPair("with", "function procedure");
    addPair("explain", "plan");
    // They end a transaction of another session; WORK may precede FORCE.
    addPair("rollback", "prepared force");
    addPair("work", "force");
    // H2 stores these in the database; a password affects all users.
    addAll(
        SHARED_SETTINGS,
        """
        password allow_literals authenticator binary_collation builtin_alias_override cache_size
        cluster collation compress_lob create_build database database_event_listener db_close_delay
        default_lock_timeout default_null_ordering default_table_type exclusive files ignorecase
        ignore_catalogs integrity java_object_serializer lock_mode log max_length_inplace_lob max_log_size
        max_memory_rows max_memory_undo max_operation_memory mode optimize_reuse_results
        query_statistics query_statistics_max_entries redo_log_binary referential_integrity
        retention_time salt trace_level_file trace_level_system_out trace_max_file_size
        truncate_large_length undo_log uuid_collation write_delay
        """);
    addAll(SHARED_SETTINGS_IF_FIRST, "default resource statement constraint constraints table");
    addAll(SHARED_STATE, "master slave replica binary query");
    addAll(COMMIT_OPTIONS, "commit work tran transaction and no chain release");
    // Their arguments are names, or affect only the connection.
    addAll(
        READING_PRAGMAS,
        """
        table_info table_xinfo table_list index_info index_list index_xinfo foreign_key_list
        foreign_key_check integrity_check quick_check foreign_keys defer_foreign_keys busy_timeout
        cache_size cache_spill synchronous temp_store recursive_triggers case_sensitive_like
        query_only read_uncommitted locking_mode mmap_size automatic_index threads
        """);
    addAll(WRITING_PRAGMAS, "incremental_vacuum optimize wal_checkpoint");
  }

  private final byte[] sql;
  private @Nullable Keyword first;
  private int words;
  private boolean changes;
  private @Nullable KeywordTable<Boolean> changesBefore;
  private boolean isFunction;
  private boolean isPlainCommit = true;
  private boolean analyzes;
  private boolean isReadingPragma;
  private boolean isWritingPragma;
  private boolean isQualified;
  private boolean hasArgument;

  UnknownDialectCheck(byte[] sql) {
    this.sql = sql;
  }

  private static void addAll(KeywordTable<Boolean> to, String words) {
    to.addAll(words, Boolean.TRUE);
  }

  private static void addPair(String words, String followers) {
    KeywordTable<Boolean> seconds = new KeywordTable<>();
    addAll(seconds, followers);
    CHANGES_BEFORE.addAll(words, seconds);
  }

  /** Adds the next token, other than the one that ends the statement. */
  void add(SqlToken kind, SqlTokenizer tokenizer) {
    int from = tokenizer.tokenFrom();
    int to = tokenizer.tokenTo();
    if (kind == SqlToken.WORD) {
      addWord(from, to);
    } else {
      changesBefore = null;
      isPlainCommit = false;
      changes |= kind == SqlToken.OPEN && isFunction;
      // It may spell any setting or pseudo-column; H2 and Postgres have such names.
      changes |= kind == SqlToken.ESCAPED_NAME;
      if (kind == SqlToken.QUOTED_NAME) {
        addQuotedName(from, to);
      }
    }
    boolean isName = kind == SqlToken.WORD || kind == SqlToken.QUOTED_NAME;
    isFunction = isName && contains(FUNCTIONS, from, to);
    isQualified |= kind == SqlToken.DOT;
    hasArgument |= kind != SqlToken.WORD && kind != SqlToken.DOT;
  }

  /** H2 accepts the name of a setting in quotes, too. */
  private void addQuotedName(int from, int to) {
    changes |= contains(CHANGING_COLUMNS, from, to);
    changes |= first == Keyword.SET && contains(SHARED_SETTINGS, from, to);
  }

  private void addWord(int from, int to) {
    if (words == 0) {
      first = Keyword.ALL.find(sql, from, to);
    }
    words++;
    changes |= contains(CHANGES, from, to);
    changes |= changesBefore != null && contains(changesBefore, from, to);
    changesBefore = CHANGES_BEFORE.find(sql, from, to);
    if (first != null) {
      addWordOf(first, from, to);
    }
  }

  private void addWordOf(Keyword statement, int from, int to) {
    switch (statement) {
      case SET -> {
        changes |= contains(SHARED_SETTINGS, from, to);
        changes |= words == 2 && contains(SHARED_SETTINGS_IF_FIRST, from, to);
      }
      case RESET -> changes |= contains(SHARED_STATE, from, to);
      case COMMIT -> isPlainCommit &= contains(COMMIT_OPTIONS, from, to);
      case DESC, DESCRIBE -> {
        Keyword word = Keyword.ALL.find(sql, from, to);
        analyzes |= word == Keyword.ANALYZE || word == Keyword.ANALYSE;
      }
      case PRAGMA -> {
        if (!hasArgument) {
          isReadingPragma = contains(READING_PRAGMAS, from, to);
          isWritingPragma |= contains(WRITING_PRAGMAS, from, to);
        }
      }
      default -> {
        // Words matter only in the statements above.
      }
    }
  }

  private boolean contains(KeywordTable<Boolean> table, int from, int to) {
    return table.find(sql, from, to) != null;
  }

  /**
   * Whether the statement whose tokens were added only reads.
   *
   * @param statement the same tokens, as read by Postgres
   */
  boolean isRead(SqlStatement statement) {
    SqlEffect effect = statement.effect();
    if (effect == null) {
      return true;
    }
    Keyword begins = statement.first();
    if (changes || begins == null || begins != first) {
      return false;
    }
    return switch (begins) {
      case SELECT, WITH, VALUES, TABLE, COPY, EXPLAIN, SHOW, SET, RESET, LISTEN, UNLISTEN ->
          effect.need() != FenceRequirement.REFUSED_IF_STALE;
      case SAVEPOINT, RELEASE, ROLLBACK, USE -> true;
      // COMMIT PREPARED and COMMIT FORCE name a transaction, and are writes.
      case COMMIT -> isPlainCommit;
      case DESC, DESCRIBE -> !analyzes;
      case PRAGMA -> !isWritingPragma && (!hasArgument || (isReadingPragma && !isQualified));
      default -> false;
    };
  }
}
