package io.portcullis.election.simulation;

import java.util.List;

/**
 * A possible bug: the correct source text, and its replacement.
 *
 * @param name description of the bug
 * @param changes the changes, each in one file
 */
public record PlantedBug(String name, List<Change> changes) {

  /**
   * One replacement.
   *
   * @param file the source file's name without folder or extension
   * @param right text that occurs exactly once in it
   * @param wrong the replacement
   */
  public record Change(String file, String right, String wrong) {}

  /** Creates a bug from these changes. */
  public static PlantedBug bug(String name, Change... changes) {
    return new PlantedBug(name, List.of(changes));
  }

  /** Creates a change. */
  public static Change change(String file, String right, String wrong) {
    return new Change(file, right, wrong);
  }

  @Override
  public String toString() {
    return name;
  }
}
