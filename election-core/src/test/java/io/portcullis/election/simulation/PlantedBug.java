package io.portcullis.election.simulation;

import java.util.List;

/**
 * A mistake that somebody could make: what the source says, and what it would say with the mistake.
 *
 * @param name the mistake in words
 * @param changes what to change, each in one file
 */
public record PlantedBug(String name, List<Change> changes) {

  /**
   * One replacement.
   *
   * @param file the source file's name without folder or ending
   * @param right text that occurs exactly once in it
   * @param wrong what stands there instead
   */
  public record Change(String file, String right, String wrong) {}

  /** A mistake of these changes. */
  public static PlantedBug bug(String name, Change... changes) {
    return new PlantedBug(name, List.of(changes));
  }

  /** One change. */
  public static Change change(String file, String right, String wrong) {
    return new Change(file, right, wrong);
  }

  @Override
  public String toString() {
    return name;
  }
}
