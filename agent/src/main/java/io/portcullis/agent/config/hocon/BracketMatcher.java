package io.portcullis.agent.config.hocon;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the braces and brackets of a text. If one of them has no counterpart, guesses which: a
 * closing brace that is indented less than the line of its opening brace closes an outer one, so
 * the inner one was left open.
 */
final class BracketMatcher {
  private final Deque<OpenBracket> open = new ArrayDeque<>();
  private @Nullable UnmatchedBracket certain;
  private @Nullable UnmatchedBracket byIndent;

  /** Continues with the next character outside of quotes and comments. */
  void next(char character, Position position) {
    switch (character) {
      case '{', '[' -> open.push(new OpenBracket(character, position));
      case '}' -> close('{', character, position);
      case ']' -> close('[', character, position);
      default -> {
        // Not a bracket.
      }
    }
  }

  private void close(char opening, char closing, Position position) {
    OpenBracket last = open.peek();
    if (last == null) {
      found(UnmatchedBracket.closing(closing, position.line()));
      return;
    }
    if (last.bracket() != opening) {
      found(UnmatchedBracket.opening(last, closing, position));
      while (last != null && last.bracket() != opening) {
        open.pop();
        last = open.peek();
      }
    } else if (byIndent == null && position.closesOuterThan(last.position())) {
      byIndent = UnmatchedBracket.opening(last, closing, position);
    }
    open.poll();
  }

  private void found(UnmatchedBracket unmatched) {
    if (certain == null) {
      certain = unmatched;
    }
  }

  /**
   * The bracket that most likely has no counterpart; empty if all have one.
   *
   * @param end the last line of the text
   */
  Optional<UnmatchedBracket> unmatched(int end) {
    if (certain != null) {
      return Optional.of(certain);
    }
    OpenBracket innermost = open.peek();
    if (innermost == null) {
      return Optional.empty();
    }
    return Optional.of(byIndent == null ? UnmatchedBracket.atEnd(innermost, end) : byIndent);
  }

  private record OpenBracket(char bracket, Position position) {}

  /**
   * Position of a bracket.
   *
   * @param indent the number of blanks before it; if the line has other text before it, {@code -1 -
   *     n} where n is the number of blanks before that text
   */
  record Position(int line, int indent) {
    private boolean closesOuterThan(Position opening) {
      return indent >= 0 && line != opening.line && indent < opening.lineIndent();
    }

    private int lineIndent() {
      return indent < 0 ? -1 - indent : indent;
    }
  }

  /**
   * A bracket without a counterpart.
   *
   * @param noticed the line at which a parser notices it, if nothing else is wrong
   * @param sentence what is missing, and where
   */
  record UnmatchedBracket(int line, int noticed, String sentence) {
    private static UnmatchedBracket closing(char bracket, int line) {
      char missing = bracket == '}' ? '{' : '[';
      return new UnmatchedBracket(
          line,
          line,
          "the "
              + bracket
              + " in line "
              + line
              + " closes nothing; delete it, or add the "
              + missing
              + " that it belongs to");
    }

    /** The opening bracket; the closing one found instead of its counterpart is an outer one. */
    private static UnmatchedBracket opening(OpenBracket open, char outer, Position closing) {
      return opening(open, closing.line(), "before the " + outer + " in line " + closing.line());
    }

    private static UnmatchedBracket atEnd(OpenBracket open, int end) {
      return opening(open, end, "at the end of the file");
    }

    private static UnmatchedBracket opening(OpenBracket open, int noticed, String where) {
      int line = open.position().line();
      return new UnmatchedBracket(
          line,
          noticed,
          "the "
              + open.bracket()
              + " opened in line "
              + line
              + " is most likely not closed; add a "
              + (open.bracket() == '{' ? '}' : ']')
              + " "
              + where);
    }
  }
}
