package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.hocon.HoconSettings.ReadContext;
import io.portcullis.agent.config.hocon.ReferenceConfig;
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
 * Opens the extensions that a configuration lists. Refuses extensions that conflict with Portcullis
 * or with each other.
 */
final class ExtensionReader {
  private static final String KEY = "extensions";

  private final ExtensionRegistry registry;
  private final ConfigSection election;
  private final Set<String> builtIn = new HashSet<>();
  private final ReadContext context;
  private final Set<String> backends = new HashSet<>();
  private final Set<String> actions = new HashSet<>();

  /**
   * Creates a reader for one configuration.
   *
   * @param election the keys that are common to all elections
   * @param builtIn the backends that exist without extensions
   */
  ExtensionReader(
      ExtensionRegistry registry,
      ConfigSection election,
      BackendRegistry builtIn,
      ReadContext context) {
    this.registry = registry;
    this.election = election;
    this.context = context;
    this.builtIn.addAll(builtIn.names());
    this.builtIn.addAll(BundledBackends.BUILT_IN);
  }

  /** Returns the usable extensions; reports the others. */
  Extensions read(HoconSettings settings) {
    List<Extension> read = new ArrayList<>();
    Set<Path> seen = new HashSet<>();
    for (String name : settings.texts(KEY)) {
      try {
        Path jar = context.folder().resolve(name).normalize();
        if (!seen.add(jar)) {
          settings.refuse(KEY, jar + " is named twice; leave one of them out");
          continue;
        }
        Extension extension = registry.open(jar);
        List<String> problems = problems(extension);
        problems.forEach(problem -> settings.refuse(KEY, extension.jar() + " " + problem));
        if (problems.isEmpty()) {
          read.add(extension);
        }
      } catch (InvalidPathException e) {
        settings.refuse(KEY, name + " is not a valid file path; name a jar");
      } catch (InvalidExtensionException e) {
        settings.refuse(KEY, context.folder().resolve(name).normalize() + " " + e.why());
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
                    "contains a backend '"
                        + name
                        + "', a name that Portcullis uses itself; choose another name");
              } else if (!backends.add(name)) {
                problems.add("contains a backend '" + name + "', as an earlier extension does");
              } else {
                checkReference(name, backend, problems);
              }
            });
    for (String name : new TreeSet<>(extension.actions().keySet())) {
      if (Actions.has(name)) {
        problems.add(
            "contains an action '"
                + name
                + "', a name that Portcullis uses itself; choose another name");
      } else if (!actions.add(name)) {
        problems.add("contains an action '" + name + "', as an earlier extension does");
      }
    }
    return problems;
  }

  private static void checkReference(String name, Backend backend, List<String> problems) {
    String fix =
        "; put a reference.conf next to "
            + backend.getClass().getName()
            + " with the sections timing and "
            + name;
    try {
      ConfigSection reference = ReferenceConfig.of(backend);
      if (!(reference.get("timing") instanceof ConfigSection)
          || !(reference.get(name) instanceof ConfigSection)
          || reference.children().size() != 2) {
        problems.add("has a reference.conf that does not match its backend '" + name + "'" + fix);
      }
    } catch (RuntimeException e) { // A third-party file.
      problems.add("has no readable reference.conf: " + e.getMessage() + fix);
    }
  }
}
