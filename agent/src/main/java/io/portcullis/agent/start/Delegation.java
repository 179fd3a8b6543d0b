package io.portcullis.agent.start;

import java.util.List;
import java.util.Properties;

/**
 * Containers whose loaders do not ask the bootstrap loader for every package: they are told to ask
 * it for the gate, by the properties they have for that. Without it a woven class in such a
 * container could not find the gate, and each gated call would fail.
 */
final class Delegation {
  private static final String GATE = "io.portcullis.gate";

  /** Of JBoss Modules and of OSGi frameworks: packages, separated by commas. */
  private static final List<String> LISTS =
      List.of("jboss.modules.system.pkgs", "org.osgi.framework.bootdelegation");

  private Delegation() {}

  /** Adds the gate to both lists, leaving in them what is there. */
  static void arrange(Properties properties) {
    for (String list : LISTS) {
      String before = properties.getProperty(list, "").trim();
      if (!List.of(before.split("\\s*,\\s*")).contains(GATE)) {
        properties.setProperty(list, before.isEmpty() ? GATE : before + "," + GATE);
      }
    }
  }
}
