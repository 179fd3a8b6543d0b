package io.portcullis.rules.check.classpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPath.ReadProblem;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassPathTest {
  private static final String STORE =
      """
      package com.acme;
      public class Store {
        static { System.setProperty("com.acme.Store.loaded", "true"); }
        public void save(String what) {}
      }
      """;
  private static final String TOOL = "package com.tools;\npublic class Tool { void use() {} }";

  @TempDir Path folder;
  private ClassPathFixture workshop;

  @BeforeEach
  void open() {
    workshop = new ClassPathFixture(folder);
  }

  private static ClassPath read(Object... paths) {
    return ClassPath.read(
        Stream.of(paths).map(Object::toString).toList(), ApplicationClassCheck.of(List.of()), 17);
  }

  private static List<String> names(ClassPath classPath) {
    return classPath.classes().stream().map(OfflineClass::name).toList();
  }

  private static List<String> own(ClassPath classPath) {
    return classPath.classes().stream().filter(OfflineClass::own).map(OfflineClass::name).toList();
  }

  private byte[] tools(boolean deflated) {
    return ClassPathFixture.bytes(ClassPathFixture.files(workshop.compile(TOOL), ""), deflated);
  }

  private Map<String, byte[]> with(String prefix, String source) {
    return new HashMap<>(ClassPathFixture.files(workshop.compile(source), prefix));
  }

  @Test
  void directoryIsReadWithoutLoadingClasses() {
    ClassPath classPath = read(workshop.compile(STORE));

    assertThat(own(classPath)).containsExactly("com.acme.Store");
    assertThat(classPath.flaws()).isEmpty();
    assertThat(System.getProperty("com.acme.Store.loaded")).isNull();
  }

  @Test
  void firstJarIsTheApplicationAndTheOthersAreLibraries() {
    Path app = workshop.pack("app.jar", with("", STORE));
    Path lib = workshop.pack("lib.jar", with("", TOOL));

    assertThat(own(read(app, lib))).containsExactly("com.acme.Store");
    assertThat(names(read(app, lib))).containsExactly("com.acme.Store", "com.tools.Tool");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void springBootJarIsReadWithItsNestedJars(boolean deflated) throws IOException {
    Map<String, byte[]> files = with("BOOT-INF/classes/", STORE);
    files.put("BOOT-INF/lib/tools.jar", tools(deflated));
    files.putAll(with("", "package org.boot;\npublic class Launcher {}"));
    Path app = Files.write(folder.resolve("app.jar"), ClassPathFixture.bytes(files, deflated));

    ClassPath classPath = read(app);

    assertThat(names(classPath))
        .containsExactlyInAnyOrder("com.acme.Store", "com.tools.Tool", "org.boot.Launcher");
    assertThat(own(classPath)).containsExactly("com.acme.Store");
    assertThat(classPath.find("com.tools.Tool"))
        .extracting(OfflineClass::place)
        .asString()
        .endsWith("app.jar!BOOT-INF/lib/tools.jar");
  }

  @Test
  void warAndEarAroundItAreRead() {
    Map<String, byte[]> war = with("WEB-INF/classes/", STORE);
    war.put("WEB-INF/lib/tools.jar", tools(true));

    Path ear = workshop.pack("app.ear", Map.of("web.war", ClassPathFixture.bytes(war, true)));

    assertThat(own(read(workshop.pack("app.war", war)))).containsExactly("com.acme.Store");
    assertThat(own(read(ear))).containsExactly("com.acme.Store");
    assertThat(names(read(ear))).contains("com.tools.Tool");
  }

  @Test
  void unpackedSpringBootJarIsReadLikeThePackedOne() throws IOException {
    Path app = Files.createDirectories(folder.resolve("exploded"));
    Path lib = Files.createDirectories(app.resolve("BOOT-INF/lib"));
    Files.write(lib.resolve("tools.jar"), tools(true));
    for (Map.Entry<String, byte[]> file : with("BOOT-INF/classes/", STORE).entrySet()) {
      Path target = app.resolve(file.getKey());
      Files.createDirectories(target.getParent());
      Files.write(target, file.getValue());
    }

    assertThat(own(read(app))).containsExactly("com.acme.Store");
    assertThat(names(read(app))).contains("com.tools.Tool");
  }

  @Test
  void directoryBehindALinkIsRead() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), workshop.compile(STORE));

    assertThat(own(read(link))).containsExactly("com.acme.Store");
  }

  @Test
  void folderWithAWildcardContainsItsJars() throws IOException {
    Path lib = Files.createDirectories(folder.resolve("lib"));
    Files.write(lib.resolve("tools.jar"), tools(true));
    Files.writeString(lib.resolve("read.me"), "nothing");

    ClassPath classPath = read(workshop.compile(STORE), lib + File.separator + "*");

    assertThat(names(classPath)).containsExactly("com.acme.Store", "com.tools.Tool");
    assertThat(own(classPath)).containsExactly("com.acme.Store");
  }

  @Test
  void jarsInTheManifestsClassPathAreRead() throws IOException {
    Map<String, byte[]> files = with("", STORE);
    files.put(
        "META-INF/MANIFEST.MF",
        ClassPathFixture.manifest("Class-Path: lib/tools.jar lib/gone.jar"));
    Path app = workshop.pack("app.jar", files);
    Path lib = Files.createDirectories(app.resolveSibling("lib"));
    Files.write(lib.resolve("tools.jar"), tools(true));

    assertThat(names(read(app))).containsExactly("com.acme.Store", "com.tools.Tool");
    assertThat(read(app).flaws()).isEmpty();
  }

  @Test
  void newestMatchingVersionOfAMultiReleaseJarIsRead() {
    Map<String, byte[]> files = with("", TOOL);
    files.putAll(with("META-INF/versions/11/", TOOL.replace("use", "useOn11")));
    files.putAll(with("META-INF/versions/17/", TOOL.replace("use", "useOn17")));
    files.putAll(with("META-INF/versions/21/", TOOL.replace("use", "useOn21")));
    Path plain = workshop.pack("plain.jar", files);
    files.put("META-INF/MANIFEST.MF", ClassPathFixture.manifest("Multi-Release: true"));
    Path versioned = workshop.pack("versioned.jar", files);

    assertThat(methods(read(versioned), "com.tools.Tool")).contains("useOn17");
    assertThat(methods(read(plain), "com.tools.Tool")).contains("use");
  }

  private static List<String> methods(ClassPath classPath, String name) {
    OfflineClass found = Objects.requireNonNull(classPath.find(name));
    return found.shape().methods().stream().map(method -> method.name()).toList();
  }

  @Test
  void firstOfTwoClassesWithOneNameCounts() {
    Path first = workshop.pack("first.jar", with("", TOOL));
    Path second = workshop.pack("second.jar", with("", TOOL.replace("use", "other")));

    assertThat(methods(read(first, second), "com.tools.Tool")).contains("use");
    assertThat(methods(read(second, first), "com.tools.Tool")).contains("other");
  }

  @Test
  void ownClassesCanBeNamedExplicitly() {
    Path app = workshop.pack("all.jar", with("", STORE));
    Path lib = workshop.compile(TOOL);

    ClassPath classPath =
        ClassPath.read(
            List.of(app.toString(), lib.toString()),
            ApplicationClassCheck.of(List.of("com.tools.**")),
            17);

    assertThat(own(classPath)).containsExactly("com.tools.Tool");
  }

  @Test
  void realJarIsReadCompletely() throws Exception {
    Path byteBuddy =
        Path.of(ByteBuddy.class.getProtectionDomain().getCodeSource().getLocation().toURI());

    ClassPath classPath = read(byteBuddy);

    assertThat(classPath.classes()).hasSizeGreaterThan(2_000);
    assertThat(classPath.flaws()).isEmpty();
    assertThat(classPath.find(ByteBuddy.class.getName())).isNotNull();
  }

  @Test
  void missingPathIsFatalAndReported() {
    assertThat(read(folder.resolve("gone.jar")).flaws())
        .singleElement()
        .satisfies(flaw -> assertThat(flaw.fatal()).isTrue())
        .asString()
        .contains("gone.jar: there is no such file");
    assertThat(read(folder.resolve("gone") + File.separator + "*").flaws())
        .singleElement()
        .satisfies(flaw -> assertThat(flaw.fatal()).isTrue());
  }

  @Test
  void invalidArchiveIsFatalAndTheOthersAreRead() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.jar"), "this is no jar");

    ClassPath classPath = read(broken, workshop.compile(STORE));

    assertThat(names(classPath)).containsExactly("com.acme.Store");
    assertThat(classPath.flaws()).singleElement().asString().contains("broken.jar: can't be read");
    assertThat(classPath.flaws().get(0).fatal()).isTrue();
  }

  @Test
  void brokenNestedJarIsReportedAndTheRestIsRead() {
    Map<String, byte[]> files = with("BOOT-INF/classes/", STORE);
    byte[] tools = tools(true);
    files.put("BOOT-INF/lib/cut.jar", Arrays.copyOf(tools, tools.length / 3));
    files.put("BOOT-INF/lib/text.jar", "no jar".getBytes(StandardCharsets.UTF_8));

    ClassPath classPath = read(workshop.pack("app.jar", files));

    assertThat(names(classPath)).containsExactly("com.acme.Store");
    assertThat(classPath.flaws())
        .hasSize(2)
        .noneMatch(ReadProblem::fatal)
        .anySatisfy(flaw -> assertThat(flaw.toString()).contains("!BOOT-INF/lib/cut.jar: "))
        .anySatisfy(flaw -> assertThat(flaw.toString()).contains("text.jar: ", "not a zip file"));
  }

  @Test
  void unreadableClassesAreReportedAndTheRestIsRead() {
    Map<String, byte[]> files = with("", STORE);
    byte[] tool = with("", TOOL).values().iterator().next();
    byte[] newer = tool.clone();
    newer[7] = (byte) 250;
    files.put("com/tools/Newer.class", newer);
    files.put("com/tools/Cut.class", Arrays.copyOf(tool, 60));
    files.put("com/tools/Empty.class", new byte[0]);

    ClassPath classPath = read(workshop.pack("app.jar", files));

    assertThat(names(classPath)).containsExactly("com.acme.Store");
    assertThat(classPath.flaws())
        .extracting(ReadProblem::className)
        .containsExactlyInAnyOrder("com.tools.Newer", "com.tools.Cut", "com.tools.Empty");
    assertThat(classPath.flaws())
        .anySatisfy(
            flaw ->
                assertThat(flaw.toString())
                    .contains(
                        "app.jar!com/tools/Newer.class: ", "Unsupported class file version 250"));
  }
}
