package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;

/** One SQL statement, as far as its tokens have been read. */
final class SqlStatement {
  private static final KeywordTable<Boolean> CATALOG = new KeywordTable<>();

  static {
    CATALOG.add("pg_catalog", Boolean.TRUE);
  }

  private final byte[] sql;

  private boolean isEmpty = true;
  private boolean isUnrecognized;
  private @Nullable Keyword first;
  private @Nullable Keyword second;
  private int words;

  private @Nullable SqlToken lastKind;
  private @Nullable Keyword lastWord;

  /**
   * Whether the last word is in a position where it is a keyword, although it may be a name
   * elsewhere.
   */
  private boolean isSyntax;

  private boolean distinctOn;
  private int nameFrom;
  private int nameTo;

  private boolean isNamePlain;
  private boolean isNameQualified;
  private boolean afterName;

  private int depth;
  private boolean changes;
  private boolean analyzes;
  private boolean concurrently;
  private boolean callsUnknown;
  private boolean callsUnrestricted;
  private @Nullable Keyword copies;
  private boolean copiesToClient;

  SqlStatement(byte[] sql) {
    this.sql = sql;
  }

  /** Adds the next token, other than the one that ends the statement. */
  void add(SqlToken kind, SqlTokenizer tokenizer) {
    switch (kind) {
      case WORD ->
          addWord(Keyword.ALL.find(sql, tokenizer.tokenFrom(), tokenizer.tokenTo()), tokenizer);
      case QUOTED_NAME, ESCAPED_NAME -> addName(kind, tokenizer);
      case OPEN -> addOpening();
      case CLOSE -> {
        depth--;
        afterName = false;
        lastWord = null;
      }
      case DOT -> {
        isUnrecognized |= first == null;
        lastWord = null;
      }
      default -> {
        isUnrecognized |= first == null;
        // The following token may begin with letters that belong to the number, and so hide a word.
        changes |= kind == SqlToken.JOINED_NUMBER;
        analyzes |= kind == SqlToken.JOINED_NUMBER;
        afterName = false;
        lastWord = null;
      }
    }
    isEmpty = false;
    lastKind = kind;
  }

  private void addWord(@Nullable Keyword word, SqlTokenizer tokenizer) {
    boolean isName = lastKind == SqlToken.DOT || lastWord == Keyword.AS;
    if (words == 0) {
      first = word;
      isUnrecognized |= word == null;
    } else if (words == 1) {
      second = word;
    }
    words++;
    if (word != null && !isName) {
      note(word);
    }
    isSyntax = word != null && isSyntax(word);
    remember(tokenizer, true);
    distinctOn |= word == Keyword.ON && lastWord == Keyword.DISTINCT;
    lastWord = isName ? null : word;
  }

  private boolean isSyntax(Keyword word) {
    return switch (word) {
      case BY ->
          lastWord == Keyword.GROUP || lastWord == Keyword.ORDER || lastWord == Keyword.PARTITION;
      // After DISTINCT ON (...) an expression follows directly.
      case OVER, FILTER -> lastKind == SqlToken.CLOSE && !distinctOn;
      case EXPLAIN -> words == 1;
      // As function names they occur where an expression or a table begins.
      case JOIN, ILIKE -> !distinctOn && endsOperand();
      default -> false;
    };
  }

  /** Whether the last token may end an operand, so that an operator or a join can follow. */
  private boolean endsOperand() {
    return lastKind == SqlToken.CLOSE
        || isQuoted(lastKind)
        || lastWord == Keyword.LEFT
        || lastWord == Keyword.RIGHT
        || (lastKind == SqlToken.WORD && !FunctionEffect.isSyntax(sql, nameFrom, nameTo));
  }

  private void note(Keyword word) {
    switch (word) {
      case INSERT, UPDATE, DELETE, MERGE, INTO -> changes = true;
      case SHARE -> changes |= lastWord == Keyword.FOR || lastWord == Keyword.KEY;
      case ANALYZE, ANALYSE -> analyzes = true;
      case CONCURRENTLY -> concurrently = true;
      case FROM, TO -> copies = copies == null && depth == 0 ? word : copies;
      case STDOUT -> copiesToClient |= lastWord == Keyword.TO && depth == 0;
      default -> {
        // Significant only as the first word.
      }
    }
  }

  private void addName(SqlToken kind, SqlTokenizer tokenizer) {
    isUnrecognized |= first == null;
    // An option's name may be quoted, or be escaped beyond recognition.
    Keyword option = Keyword.ALL.find(sql, tokenizer.tokenFrom(), tokenizer.tokenTo());
    analyzes |=
        kind == SqlToken.ESCAPED_NAME || option == Keyword.ANALYZE || option == Keyword.ANALYSE;
    words++;
    remember(tokenizer, false);
    if (kind == SqlToken.ESCAPED_NAME) {
      nameTo = nameFrom;
    }
    lastWord = null;
  }

  private void remember(SqlTokenizer tokenizer, boolean plain) {
    // A name after AS or a cast is an alias or a type, whatever follows in parentheses.
    boolean called = lastKind != SqlToken.CAST && !(lastWord == Keyword.AS && plain);
    isNameQualified = lastKind == SqlToken.DOT && !(afterName && isCatalog());
    isNamePlain = plain;
    nameFrom = tokenizer.tokenFrom();
    nameTo = tokenizer.tokenTo();
    afterName = called;
  }

  private boolean isCatalog() {
    return CATALOG.find(sql, nameFrom, nameTo) != null;
  }

  private void addOpening() {
    boolean isCall = afterName && (lastKind == SqlToken.WORD ? !isSyntax : isQuoted(lastKind));
    if (isCall) {
      FunctionEffect call;
      if (lastKind == SqlToken.ESCAPED_NAME) {
        call = FunctionEffect.UNRESTRICTED_WRITE;
      } else {
        call =
            isNamePlain && !isNameQualified
                ? FunctionEffect.named(sql, nameFrom, nameTo)
                : FunctionEffect.foreign(sql, nameFrom, nameTo);
      }
      callsUnknown |= call == FunctionEffect.UNKNOWN;
      callsUnrestricted |= call == FunctionEffect.UNRESTRICTED_WRITE;
    }
    depth++;
    afterName = false;
    lastWord = null;
  }

  /** The first word, null if it is unknown or not the first token. */
  @Nullable
  Keyword first() {
    return isUnrecognized ? null : first;
  }

  private static boolean isQuoted(@Nullable SqlToken kind) {
    return kind == SqlToken.QUOTED_NAME || kind == SqlToken.ESCAPED_NAME;
  }

  /** The effect of the statement; null if it is empty. */
  @Nullable
  SqlEffect effect() {
    if (isEmpty) {
      return null;
    }
    if (isUnrecognized || first == null) {
      return SqlEffect.OUTSIDE_TRANSACTION;
    }
    return switch (first) {
      case SELECT, WITH, VALUES, TABLE -> query();
      case DECLARE -> changes || callsUnrestricted ? SqlEffect.WRITE : SqlEffect.MAY_WRITE;
      case FETCH, MOVE -> SqlEffect.MAY_WRITE;
      case COPY -> copy();
      case EXPLAIN -> explanation();
      case INSERT, UPDATE, DELETE, MERGE, TRUNCATE, GRANT, REVOKE, COMMENT -> SqlEffect.WRITE;
      case LOCK, NOTIFY, EXECUTE, SECURITY, REASSIGN, IMPORT -> SqlEffect.WRITE;
      case REFRESH -> concurrently ? SqlEffect.OUTSIDE_TRANSACTION : SqlEffect.WRITE;
      case CREATE, ALTER, DROP -> definition();
      case SET -> second == Keyword.CONSTRAINTS ? SqlEffect.WRITE : SqlEffect.READ;
      case SHOW, RESET, LISTEN, UNLISTEN, CLOSE -> SqlEffect.READ;
      case DEALLOCATE -> SqlEffect.DEALLOCATE;
      case SAVEPOINT -> SqlEffect.READ;
      // A read-only restriction inside the savepoint ends with it, so what follows may write.
      case RELEASE -> SqlEffect.END;
      case PREPARE -> second == Keyword.TRANSACTION ? SqlEffect.TWO_PHASE : SqlEffect.READ;
      case BEGIN -> SqlEffect.BEGIN;
      case START -> second == Keyword.TRANSACTION ? SqlEffect.BEGIN : SqlEffect.OUTSIDE_TRANSACTION;
      case COMMIT, END -> second == Keyword.PREPARED ? SqlEffect.TWO_PHASE : SqlEffect.END;
      // Before Postgres 15, ROLLBACK PREPARED and DISCARD end what earlier messages up to the same
      // Sync have begun.
      case ROLLBACK, ABORT -> SqlEffect.END;
      case DISCARD -> SqlEffect.DISCARD;
      default -> SqlEffect.OUTSIDE_TRANSACTION;
    };
  }

  private SqlEffect query() {
    if (changes || callsUnrestricted) {
      return SqlEffect.WRITE;
    }
    return callsUnknown ? SqlEffect.MAY_WRITE : SqlEffect.READ;
  }

  /** EXPLAIN may execute functions: the planner trusts their declared volatility. */
  private SqlEffect explanation() {
    if (analyzes) {
      return SqlEffect.WRITE;
    }
    return callsUnknown || callsUnrestricted ? SqlEffect.MAY_WRITE : SqlEffect.READ;
  }

  private SqlEffect copy() {
    boolean reads = copies == Keyword.TO && copiesToClient && !changes && !callsUnrestricted;
    return reads ? SqlEffect.MAY_WRITE : SqlEffect.WRITE;
  }

  private SqlEffect definition() {
    if (concurrently) {
      return SqlEffect.OUTSIDE_TRANSACTION;
    }
    if (second == null) {
      return SqlEffect.WRITE;
    }
    return switch (second) {
      case DATABASE, TABLESPACE, SYSTEM, SUBSCRIPTION, TYPE -> SqlEffect.OUTSIDE_TRANSACTION;
      default -> SqlEffect.WRITE;
    };
  }
}
