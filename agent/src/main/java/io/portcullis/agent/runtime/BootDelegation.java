package io.portcullis.agent.runtime;

import java.util.List;
import java.util.Properties;

/**
 * Containers whose loaders do not ask the bootstrap loader for every package: they are told to ask
 * it for the gate, by the properties they have for that. Without it a woven class in such a
 * container can't find the gate, and each gated call fails.
 *
 * <p>An OSGi framework may take a system property instead of its own list, so there the gate is
 * only added to a property that is set already. The common ones need neither: see {@code
 * GateSight}.
 */
final class BootDelegation {
  private static final String GATE = "io.portcullis.gate";
  private static final String JBOSS_MODULES = "jboss.modules.system.pkgs";
  private static final String OSGI = "org.osgi.framework.bootdelegation";

  private BootDelegation() {}

  /** Adds the gate to the lists, leaving in them what is there. */
  static void arrange(Properties properties) {
    add(properties, JBOSS_MODULES);
    if (properties.getProperty(OSGI) != null) {
      add(properties, OSGI);
    }
  }

  private static void add(Properties properties, String list) {
    String before = properties.getProperty(list, "").trim();
    if (!List.of(before.split("\\s*,\\s*")).contains(GATE)) {
      properties.setProperty(list, before.isEmpty() ? GATE : before + "," + GATE);
    }
  }
}
