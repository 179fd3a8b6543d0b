package io.portcullis.agent.metrics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics and labels in a PromQL expression.
 *
 * @param selections each metric with its matchers, by label
 * @param groupings the labels it groups or joins by
 */
record PromQlExpression(List<Selection> selections, List<String> groupings) {

  /** A metric with its label matchers: the alternatives that a pattern names. */
  record Selection(String metric, Map<String, List<String>> matchers) {}

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s+|\"[^\"]*\"|[0-9.]+(?:ms|[smhdwy])?|\\$?[A-Za-z_:][A-Za-z0-9_:]*"
              + "|=~|!~|!=|==|>=|<=|[-+*/%^<>=(){}\\[\\],]");
  private static final Pattern SELECTION =
      Pattern.compile("(portcullis_[a-z_]+)\\s*(?:\\{([^}]*)})?");
  private static final Pattern MATCHER =
      Pattern.compile("([a-z]+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|on|without|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");

  /** Parses an expression; throws if it is invalid. */
  static PromQlExpression of(String text) {
    checkTokens(text);
    List<Selection> selections = new ArrayList<>();
    Matcher selection = SELECTION.matcher(text);
    while (selection.find()) {
      Map<String, List<String>> matchers = new TreeMap<>();
      Matcher matcher = MATCHER.matcher(selection.group(2) == null ? "" : selection.group(2));
      while (matcher.find()) {
        matchers.put(matcher.group(1), List.of(matcher.group(2).split("\\|", -1)));
      }
      selections.add(new Selection(selection.group(1), matchers));
    }
    List<String> groupings = new ArrayList<>();
    Matcher grouping = GROUPING.matcher(text);
    while (grouping.find()) {
      groupings.addAll(List.of(grouping.group(1).split("\\s*,\\s*", -1)));
    }
    return new PromQlExpression(selections, groupings);
  }

  private static void checkTokens(String text) {
    Deque<Integer> open = new ArrayDeque<>();
    Matcher token = TOKEN.matcher(text);
    for (int at = 0; at < text.length(); at = token.end()) {
      if (!token.find(at) || token.start() != at) {
        throw new IllegalArgumentException("invalid expression at: " + text.substring(at));
      }
      if ("([{".contains(token.group())) {
        open.push("([{".indexOf(token.group()));
      } else if (")]}".contains(token.group())
          && (open.isEmpty() || open.pop() != ")]}".indexOf(token.group()))) {
        throw new IllegalArgumentException("brackets do not match: " + text);
      }
    }
    if (!open.isEmpty()) {
      throw new IllegalArgumentException("unclosed brackets: " + text);
    }
  }
}
