package io.portcullis.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainClassTest {
  @TempDir Path folder;

  private static Set<String> names(String command) {
    Properties properties = new Properties();
    properties.setProperty("sun.java.command", command);
    return MainClass.names(properties);
  }

  private Path jar(String name, String mainClass, String startClass) throws IOException {
    Path jar = folder.resolve(name);
    Files.createDirectories(jar.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    if (!startClass.isEmpty()) {
      manifest.getMainAttributes().putValue("Start-Class", startClass);
    }
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  @Test
  void mainClassIsReadFromTheCommand() {
    assertThat(names("com.acme.Main")).containsExactly("com.acme.Main");
    assertThat(names("com.acme.Main --port 80 other.jar")).containsExactly("com.acme.Main");
    assertThat(names("com.acme.app/com.acme.Main x")).containsExactly("com.acme.Main");
  }

  @Test
  void mainClassIsReadFromTheJarManifest() throws IOException {
    Path jar = jar("app.jar", "com.acme.Main", "");

    assertThat(names(jar.toString())).containsExactly("com.acme.Main");
    assertThat(names(jar + " --port 80")).containsExactly("com.acme.Main");
  }

  @Test
  void springBootStartClassIsIncluded() throws IOException {
    Path jar = jar("boot.jar", "org.springframework.boot.loader.JarLauncher", "com.acme.Main");

    assertThat(names(jar.toString()))
        .containsExactlyInAnyOrder("org.springframework.boot.loader.JarLauncher", "com.acme.Main");
  }

  @Test
  void jarPathMayContainSpacesAndJarSuffixes() throws IOException {
    Path jar = jar("my apps/old.jar.d/the app.jar", "com.acme.Main", "");

    assertThat(names(jar + " in.jar out.jar")).containsExactly("com.acme.Main");
  }

  /** Otherwise only-main-class would exclude such an application from gating. */
  @Test
  void jarOptionAcceptsOtherFileSuffixes() throws IOException {
    Path war = jar("my apps/app.war", "com.acme.Main", "");

    assertThat(names(war + " --port 80")).containsExactly("com.acme.Main");
  }

  @Test
  void unknownMainClassIsEmpty() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.jar"), "no zip");

    assertThat(MainClass.names(new Properties())).isEmpty();
    assertThat(names(broken.toString())).isEmpty();
  }
}
