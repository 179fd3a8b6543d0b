package com.acme.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The jar of the service does not refer to the agent. */
class LedgerJarIT {
  private static final String FORBIDDEN = "portcullis";

  @Test
  void noEntryRefersToTheAgent() throws Exception {
    List<String> naming = new ArrayList<>();
    try (JarFile jar = new JarFile(Path.of("target", "demo-service.jar").toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        try (InputStream content = jar.getInputStream(entry)) {
          String text = new String(content.readAllBytes(), StandardCharsets.ISO_8859_1);
          if ((entry.getName() + text).toLowerCase(Locale.ROOT).contains(FORBIDDEN)) {
            naming.add(entry.getName());
          }
        }
      }
    }

    assertThat(naming).isEmpty();
  }
}
