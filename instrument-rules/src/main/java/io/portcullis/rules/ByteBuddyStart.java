package io.portcullis.rules;

import net.bytebuddy.dynamic.NexusAccessor;

/**
 * Touches Byte Buddy for the first time, with its nexus switched off: that part is for classes with
 * initialisers of their own, takes a fifth of the start-up time and draws warnings about Unsafe on
 * recent JDKs.
 *
 * <p>The switch is a system property, which an application's own Byte Buddy reads too. So it is set
 * only while ours reads it, and then put back.
 */
final class ByteBuddyStart {
  private static final String NEXUS_DISABLED = "net.bytebuddy.nexus.disabled";

  private ByteBuddyStart() {}

  static Loom loom() {
    String before = System.getProperty(NEXUS_DISABLED);
    System.setProperty(NEXUS_DISABLED, "true");
    try {
      NexusAccessor.isAlive(); // Makes it read the switch.
      return new Loom();
    } finally {
      if (before == null) {
        System.clearProperty(NEXUS_DISABLED);
      } else {
        System.setProperty(NEXUS_DISABLED, before);
      }
    }
  }
}
