package io.portcullis.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnoredJvmTest {
  @TempDir Path folder;

  private static boolean isIgnored(String module, String command) {
    Properties properties = new Properties();
    if (!module.isEmpty()) {
      properties.setProperty("jdk.module.main", module);
    }
    if (!command.isEmpty()) {
      properties.setProperty("sun.java.command", command);
    }
    return IgnoredJvm.include(properties);
  }

  private Path jar(String name, String mainClass) throws IOException {
    Path jar = folder.resolve(name);
    Files.createDirectories(jar.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  @ParameterizedTest
  @CsvSource({
    "jdk.compiler, jdk.compiler/com.sun.tools.javac.Main -d out A.java",
    "jdk.jartool, jdk.jartool/sun.tools.jar.Main cf app.jar .",
    "jdk.jcmd, jdk.jcmd/sun.tools.jps.Jps -l",
    "jdk.jcmd, jdk.jcmd/sun.tools.jcmd.JCmd 4711 Thread.print",
    "jdk.jconsole, jdk.jconsole/sun.tools.jconsole.JConsole",
    "jdk.jshell, jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider",
    "jdk.httpserver, jdk.httpserver/sun.net.httpserver.simpleserver.Main",
    "java.base, java.base/sun.security.tools.keytool.Main -list",
    "java.rmi, java.rmi/sun.rmi.registry.RegistryImpl 1099",
    "'', sun.tools.jps.Jps",
    "'', com.sun.tools.javac.Main A.java",
    "'', io.portcullis.agent.PortcullisAgent check agent.conf"
  })
  void jdkToolsAndAgentCommandsAreIgnored(String module, String command) {
    assertThat(isIgnored(module, command)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "'', com.acme.Main",
    "'', com.acme.Main sun.tools.jps.Jps",
    "'', com.acme.Main /opt/portcullis-agent.jar",
    "com.acme.app, com.acme.app/com.acme.Main --port 80",
    "jdk.compiler, jdk.compiler/com.sun.tools.javac.launcher.Main App.java",
    "jdk.compiler, jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher App.java",
    "'', com.sun.tools.javac.launcher.Main App.java",
    "'', /opt/not there/app.jar",
    "'', org.apache.catalina.startup.Bootstrap start"
  })
  void applicationsAreNotIgnored(String module, String command) {
    assertThat(isIgnored(module, command)).isFalse();
  }

  @Test
  void agentJarIsRecognizedByManifestInFolderWithSpaces() throws IOException {
    Path own = jar("my tools/portcullis agent.jar", PortcullisAgent.class.getName());

    assertThat(isIgnored("", own + " check agent.conf")).isTrue();
    assertThat(isIgnored("", own.toString())).isTrue();
  }

  @Test
  void applicationJarIsNotIgnoredWhateverItsName() throws IOException {
    Path app = jar("my apps/portcullis-agent.jar", "com.acme.Main");

    assertThat(isIgnored("", app + " --port 80")).isFalse();
    assertThat(isIgnored("", app.toString())).isFalse();
  }

  @Test
  void invalidJarIsNotIgnored() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.jar"), "no zip");

    assertThat(isIgnored("", broken.toString())).isFalse();
  }

  @Test
  void agentJarIsRecognizedInFolderWithJarSuffix() throws IOException {
    Path own = jar("tools.jar.d/portcullis-agent.jar", PortcullisAgent.class.getName());

    assertThat(isIgnored("", own + " version")).isTrue();
  }
}
