package io.portcullis.rules.action;

import io.portcullis.rules.extension.RefusalAction;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Creates actions by name. */
public final class Actions {
  /** The action of a rule that names none. */
  public static final String DEFAULT = ThrowAction.NAME;

  private static final Set<String> FOR_ALL =
      Set.of(ThrowAction.NAME, SkipAction.NAME, ReturnAction.NAME, WaitAction.NAME);

  /** Used by the ready-made rule sets. */
  private static final Set<String> OF_SETS =
      Set.of(
          SkipOrThrowAction.NAME,
          LeaderOnlyAction.NAME,
          UnlessReadAction.NAME,
          RecordSqlAction.NAME,
          HttpResponseAction.NAME);

  private Actions() {}

  /** Whether the name is taken, so that no extension's action can have it. */
  public static boolean has(String name) {
    return FOR_ALL.contains(name) || OF_SETS.contains(name);
  }

  /** Whether a refused call never runs its body under this action, whatever the options are. */
  public static boolean neverRunsBody(String name) {
    return FOR_ALL.contains(name);
  }

  /**
   * Creates the action of this name.
   *
   * @param others the actions of extensions
   * @return null if there is none, which is reported as a problem
   */
  public static @Nullable Action create(
      String name, ActionOptions options, Collection<RefusalAction> others) {
    return has(name) ? own(name, options) : ofExtension(name, options, others);
  }

  /** Uses a switch and not a map, because a map would load the classes of all actions. */
  private static Action own(String name, ActionOptions options) {
    return switch (name) {
      case ThrowAction.NAME -> ThrowAction.of(options);
      case SkipAction.NAME -> SkipAction.of(options);
      case ReturnAction.NAME -> ReturnAction.of(options);
      case WaitAction.NAME -> WaitAction.of(options);
      case SkipOrThrowAction.NAME -> SkipOrThrowAction.of(options);
      case LeaderOnlyAction.NAME -> LeaderOnlyAction.of(options);
      case UnlessReadAction.NAME -> UnlessReadAction.of(options);
      case RecordSqlAction.NAME -> RecordSqlAction.of(options);
      case HttpResponseAction.NAME -> HttpResponseAction.of(options);
      default -> throw new IllegalArgumentException("There is no action " + name);
    };
  }

  private static @Nullable Action ofExtension(
      String name, ActionOptions options, Collection<RefusalAction> others) {
    TreeSet<String> names = new TreeSet<>(FOR_ALL);
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
