package io.portcullis.rules.check.classpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders with archives at any depth, as applications and servers are installed. */
class FolderArchiveTest {
  @TempDir Path folder;
  @TempDir Path sources;
  private ClassPathFixture fixture;

  @BeforeEach
  void createFixture() {
    fixture = new ClassPathFixture(sources);
  }

  private void jar(String path, String className) throws IOException {
    write(path, ClassPathFixture.bytes(classes("", className), true));
  }

  private Map<String, byte[]> classes(String prefix, String className) {
    int dot = className.lastIndexOf('.');
    return ClassPathFixture.files(
        fixture.compile(
            "package %s; class %s {}"
                .formatted(className.substring(0, dot), className.substring(dot + 1))),
        prefix);
  }

  private void write(String path, byte[] bytes) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private ClassPath read() {
    return ClassPath.read(List.of(folder.toString()), ApplicationClassCheck.of(List.of()), 17);
  }

  private List<String> own() {
    return read().classes().stream()
        .filter(OfflineClass::own)
        .map(OfflineClass::name)
        .sorted()
        .toList();
  }

  @Test
  void quarkusLayoutHasItsApplicationInApp() throws IOException {
    jar("quarkus-app/app/orders.jar", "com.acme.Orders");
    jar("quarkus-app/lib/main/org.lib.jar", "org.lib.Lib");

    assertThat(own()).containsExactly("com.acme.Orders");
    assertThat(read().find("org.lib.Lib")).isNotNull();
  }

  @Test
  void deployedArchivesOfServersAreTheApplications() throws IOException {
    jar("deploy/bundle.jar", "com.acme.Bundle");
    jar("system/org/lib/1/lib-1.jar", "org.lib.Lib");
    jar("data/cache/bundle.jar", "com.acme.Bundle");
    write(
        "standalone/deployments/shop.war",
        ClassPathFixture.bytes(classes("WEB-INF/classes/", "com.acme.Shop"), true));
    write(
        "standalone/deployments/desk.ear",
        ClassPathFixture.bytes(
            Map.of("desk.jar", ClassPathFixture.bytes(classes("", "com.acme.Desk"), true)), true));

    assertThat(own()).containsExactly("com.acme.Bundle", "com.acme.Desk", "com.acme.Shop");
  }

  @Test
  void onlyJarAtTheTopIsTheApplication() throws IOException {
    jar("orders.jar", "com.acme.Orders");
    jar("lib/lib.jar", "org.lib.Lib");

    assertThat(own()).containsExactly("com.acme.Orders");
  }

  @Test
  void severalJarsAtTheTopAreLibraries() throws IOException {
    jar("one.jar", "org.lib.One");
    jar("two.jar", "org.lib.Two");

    assertThat(own()).isEmpty();
    assertThat(read().classes()).hasSize(2);
  }

  @Test
  void linksBackToAFolderAboveAreNotFollowed() throws IOException {
    jar("deploy/orders.jar", "com.acme.Orders");
    Files.createSymbolicLink(folder.resolve("deploy/again"), folder);

    assertThat(own()).containsExactly("com.acme.Orders");
    assertThat(read().flaws()).isEmpty();
  }

  @Test
  void folderWithTooManyFilesIsRefused() throws IOException {
    write("a", new byte[0]);
    write("b", new byte[0]);

    assertThat(new FolderArchive(folder, 2).names()).containsExactly("a", "b");
    assertThatThrownBy(() -> new FolderArchive(folder, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 1 files");
  }

  @Test
  void damagedArchiveInAFolderDoesNotHideTheOthers() throws IOException {
    jar("deploy/orders.jar", "com.acme.Orders");
    write("lib/broken.jar", new byte[] {1, 2, 3});

    assertThat(own()).containsExactly("com.acme.Orders");
    assertThat(read().flaws())
        .singleElement()
        .satisfies(flaw -> assertThat(flaw.fatal()).isFalse())
        .asString()
        .contains("broken.jar");
  }

  @Test
  void settingsAndMainClassOfTheApplicationAreRead() throws IOException {
    Map<String, byte[]> files = classes("BOOT-INF/classes/", "com.acme.Orders");
    files.put(
        "BOOT-INF/classes/application.properties",
        "server.port=1".getBytes(StandardCharsets.UTF_8));
    files.put("META-INF/MANIFEST.MF", ClassPathFixture.manifest("Main-Class: org.boot.Launcher"));
    write("orders.jar", ClassPathFixture.bytes(files, true));

    assertThat(read().application().mainClass()).isEqualTo("org.boot.Launcher");
    assertThat(read().application().settings())
        .singleElement()
        .satisfies(file -> assertThat(file.text()).isEqualTo("server.port=1"));
  }
}
