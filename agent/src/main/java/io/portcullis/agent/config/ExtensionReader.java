package io.portcullis.agent.config;

import io.portcullis.agent.config.AgentConfigReader.ReadContext;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.extension.ExtensionRegistry.InvalidExtensionException;
import io.portcullis.agent.extension.Extensions;
import io.portcullis.agent.extension.Extensions.Extension;
import io.portcullis.election.backend.Backend;
import io.portcullis.rules.action.Actions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Opens the extensions that a configuration names, and refuses what can't be used with the rest.
 */
final class ExtensionReader {
  private static final String KEY = "extensions";

  private final ExtensionRegistry shelf;
  private final ConfigSection election;
  private final Set<String> builtIn = new HashSet<>();
  private final ReadContext desk;
  private final Set<String> backends = new HashSet<>();
  private final Set<String> actions = new HashSet<>();

  /**
   * Reads for one configuration.
   *
   * @param election the keys that every election has
   * @param builtIn the backends that are there without extensions
   */
  ExtensionReader(
      ExtensionRegistry shelf, ConfigSection election, BackendRegistry builtIn, ReadContext desk) {
    this.shelf = shelf;
    this.election = election;
    this.desk = desk;
    this.builtIn.addAll(builtIn.names());
    this.builtIn.addAll(ElectionReader.BUILT_IN);
  }

  /** Those that can be used; the others are reported. */
  Extensions read(HoconSettings settings) {
    List<Extension> read = new ArrayList<>();
    Set<Path> seen = new HashSet<>();
    for (String name : settings.texts(KEY)) {
      try {
        Path jar = desk.folder().resolve(name).normalize();
        if (!seen.add(jar)) {
          settings.refuse(KEY, jar + " is named twice; leave one of them out");
          continue;
        }
        Extension extension = shelf.open(jar);
        List<String> problems = problems(extension);
        problems.forEach(problem -> settings.refuse(KEY, extension.jar() + " " + problem));
        if (problems.isEmpty()) {
          read.add(extension);
        }
      } catch (InvalidPathException e) {
        settings.refuse(KEY, name + " is no path of a file; name a jar");
      } catch (InvalidExtensionException e) {
        settings.refuse(KEY, desk.folder().resolve(name).normalize() + " " + e.why());
      }
    }
    return new Extensions(read);
  }

  private List<String> problems(Extension extension) {
    List<String> problems = new ArrayList<>();
    extension
        .backends()
        .forEach(
            (name, backend) -> {
              if (builtIn.contains(name) || election.get(name) != null || name.equals("timing")) {
                problems.add(
                    "brings a backend '"
                        + name
                        + "', a name that Portcullis has for something of its own; give it another");
              } else if (!backends.add(name)) {
                problems.add("brings a backend '" + name + "', as an extension before it does");
              } else {
                referenceProblem(name, backend, problems);
              }
            });
    for (String name : new TreeSet<>(extension.actions().keySet())) {
      if (Actions.has(name)) {
        problems.add("brings an action '" + name + "', which Portcullis has; give it another name");
      } else if (!actions.add(name)) {
        problems.add("brings an action '" + name + "', as an extension before it does");
      }
    }
    return problems;
  }

  private static void referenceProblem(String name, Backend backend, List<String> problems) {
    String wanted =
        "; put a reference.conf beside "
            + backend.getClass().getName()
            + " with the sections timing and "
            + name;
    try {
      ConfigSection reference = ReferenceConfig.of(backend);
      if (!(reference.get("timing") instanceof ConfigSection)
          || !(reference.get(name) instanceof ConfigSection)
          || reference.children().size() != 2) {
        problems.add("has a reference.conf that does not fit its backend '" + name + "'" + wanted);
      }
    } catch (RuntimeException e) { // A file of somebody else's.
      problems.add("has no reference.conf that can be read: " + e.getMessage() + wanted);
    }
  }
}
