package io.portcullis.rules.action;

import io.portcullis.rules.extension.RefusalAction;
import java.util.Collection;
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

  /** Whether the name is taken, so that no extension's action can have it. */
  public static boolean has(String name) {
    return BY_NAME.containsKey(name) || OF_SETS.containsKey(name);
  }

  /**
   * The action of this name.
   *
   * @param others those of extensions
   * @return null if there is none, which is reported
   */
  public static @Nullable Action create(
      String name, ActionOptions options, Collection<RefusalAction> others) {
    Function<ActionOptions, Action> action = BY_NAME.getOrDefault(name, OF_SETS.get(name));
    if (action != null) {
      return action.apply(options);
    }
    TreeSet<String> names = new TreeSet<>(BY_NAME.keySet());
    for (RefusalAction other : others) {
      String given = other.name();
      if (given.equals(name)) {
        return ExtensionAction.of(name, other, options);
      }
      names.add(given);
    }
    options.refuse(
        "action",
        "there is no action '%s'".formatted(name),
        "The actions are " + String.join(", ", names));
    return null;
  }
}
