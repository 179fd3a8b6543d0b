package io.portcullis.agent.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/** Asks questions on a terminal. */
@FunctionalInterface
interface InitDialog {
  /** Returns the answer, or the default if it is empty. */
  String ask(String question, String defaultAnswer);

  /** Returns a dialog if standard input and output are a terminal. */
  @SuppressWarnings("SystemConsoleNull") // Without a terminal it is null on JDK 17 to 21.
  static Optional<InitDialog> onTerminal() {
    Console console = System.console();
    return console == null || !isTerminal(console)
        ? Optional.empty()
        : Optional.of(
            (question, defaultAnswer) -> {
              String shown = defaultAnswer.isEmpty() ? "" : " [" + defaultAnswer + "]";
              String answer = console.readLine("%s%s: ", question, shown);
              return answer == null || answer.isBlank() ? defaultAnswer : answer.trim();
            });
  }

  /** From JDK 22 on there may be a console without a terminal, and a method that says so. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException beforeJdk22) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }
}
