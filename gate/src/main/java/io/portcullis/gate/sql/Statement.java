package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;

/** One statement of a text, as far as its tokens have been seen. */
final class Statement {
  private static final Lexicon<Boolean> CATALOG = new Lexicon<>();

  static {
    CATALOG.add("pg_catalog", Boolean.TRUE);
  }

  private final byte[] text;

  private boolean isEmpty = true;
  private boolean isOdd;
  private @Nullable Word first;
  private @Nullable Word second;
  private int words;

  private @Nullable Token lastKind;
  private @Nullable Word lastWord;

  /** Whether the last word stands where it is one of the language, although it may be a name. */
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
  private boolean callsBeyond;
  private @Nullable Word copies;
  private boolean copiesToClient;

  Statement(byte[] text) {
    this.text = text;
  }

  /** The next token, other than the one that ends it. */
  void add(Token kind, SqlTokenizer tokenizer) {
    switch (kind) {
      case WORD ->
          addWord(Word.ALL.find(text, tokenizer.tokenFrom(), tokenizer.tokenTo()), tokenizer);
      case QUOTED_NAME, ESCAPED_NAME -> addName(kind, tokenizer);
      case OPEN -> addOpening();
      case CLOSE -> {
        depth--;
        afterName = false;
        lastWord = null;
      }
      case DOT -> {
        isOdd |= first == null;
        lastWord = null;
      }
      default -> {
        isOdd |= first == null;
        // What follows may begin with letters that belong to the number, and so hide a word.
        changes |= kind == Token.JOINED_NUMBER;
        analyzes |= kind == Token.JOINED_NUMBER;
        afterName = false;
        lastWord = null;
      }
    }
    isEmpty = false;
    lastKind = kind;
  }

  private void addWord(@Nullable Word word, SqlTokenizer tokenizer) {
    boolean isName = lastKind == Token.DOT || lastWord == Word.AS;
    if (words == 0) {
      first = word;
      isOdd |= word == null;
    } else if (words == 1) {
      second = word;
    }
    words++;
    if (word != null && !isName) {
      note(word);
    }
    isSyntax = word != null && isSyntax(word);
    remember(tokenizer, true);
    distinctOn |= word == Word.ON && lastWord == Word.DISTINCT;
    lastWord = isName ? null : word;
  }

  private boolean isSyntax(Word word) {
    return switch (word) {
      case BY -> lastWord == Word.GROUP || lastWord == Word.ORDER || lastWord == Word.PARTITION;
      // After DISTINCT ON (...) an expression follows directly.
      case OVER, FILTER -> lastKind == Token.CLOSE && !distinctOn;
      case EXPLAIN -> words == 1;
      // As function's names they stand where an expression or a table begins.
      case JOIN, ILIKE -> !distinctOn && endsOperand();
      default -> false;
    };
  }

  /** Whether the last token may be the end of what an operator or a join follows. */
  private boolean endsOperand() {
    return lastKind == Token.CLOSE
        || isQuoted(lastKind)
        || lastWord == Word.LEFT
        || lastWord == Word.RIGHT
        || (lastKind == Token.WORD && !Call.isSyntax(text, nameFrom, nameTo));
  }

  private void note(Word word) {
    switch (word) {
      case INSERT, UPDATE, DELETE, MERGE, INTO -> changes = true;
      case SHARE -> changes |= lastWord == Word.FOR || lastWord == Word.KEY;
      case ANALYZE, ANALYSE -> analyzes = true;
      case CONCURRENTLY -> concurrently = true;
      case FROM, TO -> copies = copies == null && depth == 0 ? word : copies;
      case STDOUT -> copiesToClient |= lastWord == Word.TO && depth == 0;
      default -> {
        // Says nothing but at the beginning.
      }
    }
  }

  private void addName(Token kind, SqlTokenizer tokenizer) {
    isOdd |= first == null;
    // An option's name may be quoted, or be escaped beyond recognition.
    Word option = Word.ALL.find(text, tokenizer.tokenFrom(), tokenizer.tokenTo());
    analyzes |= kind == Token.ESCAPED_NAME || option == Word.ANALYZE || option == Word.ANALYSE;
    words++;
    remember(tokenizer, false);
    if (kind == Token.ESCAPED_NAME) {
      nameTo = nameFrom;
    }
    lastWord = null;
  }

  private void remember(SqlTokenizer tokenizer, boolean plain) {
    // A name after AS or a cast is an alias or a type, whatever follows in parentheses.
    boolean called = lastKind != Token.CAST && !(lastWord == Word.AS && plain);
    isNameQualified = lastKind == Token.DOT && !(afterName && isCatalog());
    isNamePlain = plain;
    nameFrom = tokenizer.tokenFrom();
    nameTo = tokenizer.tokenTo();
    afterName = called;
  }

  private boolean isCatalog() {
    return CATALOG.find(text, nameFrom, nameTo) != null;
  }

  private void addOpening() {
    boolean isCall = afterName && (lastKind == Token.WORD ? !isSyntax : isQuoted(lastKind));
    if (isCall) {
      Call call;
      if (lastKind == Token.ESCAPED_NAME) {
        call = Call.BEYOND;
      } else {
        call =
            isNamePlain && !isNameQualified
                ? Call.named(text, nameFrom, nameTo)
                : Call.foreign(text, nameFrom, nameTo);
      }
      callsUnknown |= call == Call.UNKNOWN;
      callsBeyond |= call == Call.BEYOND;
    }
    depth++;
    afterName = false;
    lastWord = null;
  }

  /** The word that it begins with, null if that is not known or something else comes first. */
  @Nullable
  Word first() {
    return isOdd ? null : first;
  }

  private static boolean isQuoted(@Nullable Token kind) {
    return kind == Token.QUOTED_NAME || kind == Token.ESCAPED_NAME;
  }

  /** What it may do; null if there is nothing in it. */
  @Nullable
  Verdict verdict() {
    if (isEmpty) {
      return null;
    }
    if (isOdd || first == null) {
      return Verdict.ALONE;
    }
    return switch (first) {
      case SELECT, WITH, VALUES, TABLE -> query();
      case DECLARE -> changes || callsBeyond ? Verdict.WRITE : Verdict.MAYBE;
      case FETCH, MOVE -> Verdict.MAYBE;
      case COPY -> copy();
      case EXPLAIN -> explanation();
      case INSERT, UPDATE, DELETE, MERGE, TRUNCATE, GRANT, REVOKE, COMMENT -> Verdict.WRITE;
      case LOCK, NOTIFY, EXECUTE, SECURITY, REASSIGN, IMPORT -> Verdict.WRITE;
      case REFRESH -> concurrently ? Verdict.ALONE : Verdict.WRITE;
      case CREATE, ALTER, DROP -> definition();
      case SET -> second == Word.CONSTRAINTS ? Verdict.WRITE : Verdict.READ;
      case SHOW, RESET, LISTEN, UNLISTEN, CLOSE -> Verdict.READ;
      case DEALLOCATE -> Verdict.DEALLOCATE;
      case SAVEPOINT -> Verdict.READ;
      // What was read-only within alone can be written in behind it.
      case RELEASE -> Verdict.END;
      case PREPARE -> second == Word.TRANSACTION ? Verdict.TWO_PHASE : Verdict.READ;
      case BEGIN -> Verdict.BEGIN;
      case START -> second == Word.TRANSACTION ? Verdict.BEGIN : Verdict.ALONE;
      case COMMIT, END -> second == Word.PREPARED ? Verdict.TWO_PHASE : Verdict.END;
      // Servers before 15 let ROLLBACK PREPARED and DISCARD end what the same group has begun.
      case ROLLBACK, ABORT -> Verdict.END;
      case DISCARD -> Verdict.DISCARD;
      default -> Verdict.ALONE;
    };
  }

  private Verdict query() {
    if (changes || callsBeyond) {
      return Verdict.WRITE;
    }
    return callsUnknown ? Verdict.MAYBE : Verdict.READ;
  }

  /** What a function says to be, the planner believes, and may run it. */
  private Verdict explanation() {
    if (analyzes) {
      return Verdict.WRITE;
    }
    return callsUnknown || callsBeyond ? Verdict.MAYBE : Verdict.READ;
  }

  private Verdict copy() {
    boolean reads = copies == Word.TO && copiesToClient && !changes && !callsBeyond;
    return reads ? Verdict.MAYBE : Verdict.WRITE;
  }

  private Verdict definition() {
    if (concurrently) {
      return Verdict.ALONE;
    }
    if (second == null) {
      return Verdict.WRITE;
    }
    return switch (second) {
      case DATABASE, TABLESPACE, SYSTEM, SUBSCRIPTION, TYPE -> Verdict.ALONE;
      default -> Verdict.WRITE;
    };
  }
}
