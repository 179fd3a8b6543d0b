package io.portcullis.rules.action;

import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The catalogue of actions. */
public final class Actions {
  /** The action of a rule that names none. */
  public static final String DEFAULT = ThrowAction.NAME;

  private static final Map<String, Function<ActionOptions, Action>> BY_NAME =
      Map.of(
          ThrowAction.NAME, ThrowAction::of,
          SkipAction.NAME, SkipAction::of,
          ReturnAction.NAME, ReturnAction::of,
          WaitAction.NAME, WaitAction::of);

  /** Made for the ready-made sets of rules, which name them. */
  private static final Map<String, Function<ActionOptions, Action>> OF_SETS =
      Map.of(
          SkipOrThrowAction.NAME, SkipOrThrowAction::of,
          LeaderOnlyAction.NAME, LeaderOnlyAction::of,
          UnlessReadAction.NAME, UnlessReadAction::of,
          NoteSqlAction.NAME, NoteSqlAction::of,
          HttpAnswerAction.NAME, HttpAnswerAction::of);

  private Actions() {}

  public static @Nullable Action create(String name, ActionOptions options) {
    Function<ActionOptions, Action> action = BY_NAME.getOrDefault(name, OF_SETS.get(name));
    if (action != null) {
      return action.apply(options);
    }
    options.refuse(
        "action",
        "there is no action '%s'".formatted(name),
        "The actions are " + String.join(", ", new TreeSet<>(BY_NAME.keySet())));
    return null;
  }
}
