package io.portcullis.rules.check.classpath;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Entries of an archive, sorted by purpose.
 *
 * @param inner class files in a special folder for application classes, such as {@code
 *     BOOT-INF/classes}
 * @param root class files at the root
 * @param modules nested archives that belong to the application
 * @param libraries nested archives of libraries
 */
record JarContents(
    List<String> inner, List<String> root, List<String> modules, List<String> libraries) {
  static final String MANIFEST = "META-INF/MANIFEST.MF";

  private static final String VERSIONS = "META-INF/versions/";
  private static final List<String> CLASSES = List.of("BOOT-INF/classes/", "WEB-INF/classes/");
  private static final List<String> LIBRARIES =
      List.of(
          "BOOT-INF/lib/",
          "BOOT-INF/lib-provided/",
          "WEB-INF/lib/",
          "WEB-INF/lib-provided/",
          "APP-INF/lib/");

  /** First Java release that supports multi-release jars. */
  private static final int FIRST_VERSIONED = 9;

  /**
   * Sorts the entries of an archive.
   *
   * @param enterprise whether it is an ear, whose root contains modules of the application
   * @param release Java release for which a multi-release jar is read; 0 if it is not one
   */
  static JarContents of(List<String> names, boolean enterprise, int release) {
    List<String> inner = new ArrayList<>();
    Map<String, VersionedEntry> root = new LinkedHashMap<>();
    List<String> modules = new ArrayList<>();
    List<String> libraries = new ArrayList<>();
    for (String name : names) {
      if (Archive.isArchive(name)) {
        if (enterprise && name.indexOf('/') < 0) {
          modules.add(name);
        } else if (isLibrary(name) || (enterprise && name.startsWith("lib/"))) {
          libraries.add(name);
        }
      } else if (isClass(name)) {
        if (CLASSES.stream().anyMatch(name::startsWith)) {
          inner.add(name);
        } else {
          VersionedEntry file = VersionedEntry.of(name);
          if (file.version() == 0 || (file.version() <= release && !name.endsWith("-info.class"))) {
            root.merge(file.path(), file, VersionedEntry::newer);
          }
        }
      }
    }
    return new JarContents(
        inner, root.values().stream().map(VersionedEntry::name).toList(), modules, libraries);
  }

  private static boolean isLibrary(String name) {
    return LIBRARIES.stream()
        .anyMatch(folder -> name.startsWith(folder) && name.indexOf('/', folder.length()) < 0);
  }

  private static boolean isClass(String name) {
    return Archive.isClassFile(name)
        && !name.endsWith("module-info.class")
        && !name.endsWith("package-info.class")
        && (!name.startsWith("META-INF/") || name.startsWith(VERSIONS));
  }

  /** A class file and the minimum Java release for which it applies; 0 for all releases. */
  private record VersionedEntry(String name, String path, int version) {
    static VersionedEntry of(String name) {
      if (!name.startsWith(VERSIONS)) {
        return new VersionedEntry(name, name, 0);
      }
      int slash = name.indexOf('/', VERSIONS.length());
      String number = slash < 0 ? "" : name.substring(VERSIONS.length(), slash);
      boolean known = number.matches("[1-9][0-9]{0,3}");
      int version = known ? Integer.parseInt(number) : Integer.MAX_VALUE;
      return new VersionedEntry(
          name, name.substring(slash + 1), version < FIRST_VERSIONED ? Integer.MAX_VALUE : version);
    }

    VersionedEntry newer(VersionedEntry other) {
      return other.version > version ? other : this;
    }
  }
}
