package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Gate;
import io.portcullis.rules.ForkedAgent;
import io.portcullis.rules.ForkedWeaverStart;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.testsupport.SourceCompiler;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fresh JVMs with the gate on the bootstrap loader, as with the agent, on each configured JDK. */
@Tag("slow")
class ForkedWeavingTest {
  private static final int CLASSES = 150;
  private static final int TIMEOUT_SECONDS = 120;

  @TempDir static Path folder;

  static Stream<String> jdks() {
    String others = System.getenv().getOrDefault("PORTCULLIS_IT_JDKS", "");
    return Stream.concat(
            Stream.of(System.getProperty("java.home")), Stream.of(others.split(",", -1)))
        .map(String::strip)
        .filter(home -> !home.isEmpty())
        .distinct();
  }

  @BeforeAll
  static void makeTheApplicationAndTheAgent() throws IOException {
    List<String> sources = new ArrayList<>();
    sources.add(write("module-info.java", "module acme.app { }"));
    sources.add(
        write(
            "acme/Main.java",
            """
            package acme;
            import java.util.*;
            import java.util.concurrent.*;
            public class Main {
              public static void main(String[] args) throws Exception {
                if (args[0].equals("one")) { System.out.println(outcome(0)); return; }
                if (args[0].equals("proxy")) { System.out.println(proxy()); return; }
                if (args[0].equals("apart")) { System.out.println(apart(args[1])); return; }
                if (args[0].equals("javac")) {
                  var javac = java.util.spi.ToolProvider.findFirst("javac").orElseThrow();
                  var out = new java.io.PrintStream(java.io.OutputStream.nullOutputStream());
                  System.out.println(javac.run(out, out, "--version"));
                  return;
                }
                ExecutorService pool = Executors.newFixedThreadPool(8);
                List<Future<String>> outcomes = new ArrayList<>();
                for (int round = 0; round < 4; round++) {
                  for (int i = 0; i < %1$d; i++) {
                    int number = (i * 7 + round * 31) %% %1$d;
                    outcomes.add(pool.submit(() -> outcome(number)));
                  }
                }
                Map<String, Integer> counts = new TreeMap<>();
                for (Future<String> outcome : outcomes) { counts.merge(outcome.get(), 1, Integer::sum); }
                System.out.println(counts);
                pool.shutdown();
              }
              static String proxy() {
                Store store = (Store) java.lang.reflect.Proxy.newProxyInstance(
                    Main.class.getClassLoader(), new Class<?>[] {Store.class}, (p, m, a) -> "ran");
                try { return store.put(); }
                catch (RuntimeException e) { return e.getClass().getSimpleName(); }
              }
              /**
               * Class loaders that can't load in parallel, which two threads use in opposite order.
               */
              static Map<String, Integer> apart(String path) throws Exception {
                var url = java.nio.file.Path.of(path).toUri().toURL();
                List<ClassLoader> loaders = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                  loaders.add(new java.net.URLClassLoader(new java.net.URL[] {url}, null) {});
                }
                ExecutorService pool = Executors.newFixedThreadPool(8);
                List<Future<String>> outcomes = new ArrayList<>();
                for (int i = 0; i < %1$d; i++) {
                  for (ClassLoader loader : loaders) {
                    int number = i;
                    outcomes.add(pool.submit(() -> outcome(number, loader)));
                    outcomes.add(pool.submit(() -> outcome(%1$d - 1 - number, loader)));
                  }
                }
                Map<String, Integer> counts = new TreeMap<>();
                for (Future<String> outcome : outcomes) { counts.merge(outcome.get(), 1, Integer::sum); }
                pool.shutdown();
                return counts;
              }
              static String outcome(int number) {
                return outcome(number, Main.class.getClassLoader());
              }
              static String outcome(int number, ClassLoader loader) {
                try {
                  Class<?> type = Class.forName("acme.gen.G" + number, true, loader);
                  return (String) type.getMethod("save").invoke(null);
                } catch (java.lang.reflect.InvocationTargetException e) {
                  return e.getCause().getClass().getSimpleName();
                } catch (Throwable e) {
                  return e.toString();
                }
              }
            }
            """
                .formatted(CLASSES)));
    sources.add(write("acme/Store.java", "package acme; public interface Store { String put(); }"));
    sources.add(write("acme/Job.java", "package acme; public @interface Job { }"));
    sources.add(write("acme/Nightly.java", "package acme; @Job public @interface Nightly { }"));
    for (int i = 0; i < CLASSES; i++) {
      sources.add(
          write(
              "acme/gen/G" + i + ".java",
              """
              package acme.gen;
              public class G%1$d extends P%1$d {
                @acme.Nightly public static String save() { return new G%1$d().put(); }
                public String put() { return "ran"; }
              }
              """
                  .formatted(i)));
      sources.add(
          write(
              "acme/gen/P" + i + ".java",
              "package acme.gen; abstract class P%d implements acme.Store { }".formatted(i)));
    }
    SourceCompiler.withTestClassPath().compileFiles(sources.stream().map(Path::of).toList(), app());
    writeAgentJar();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void methodInANamedModuleIsGated(String jdk) throws Exception {
    Outcome shut = run(jdk, "shut:acme.gen.G0#save()", inModule(), "one");
    Outcome open = run(jdk, "open:acme.gen.G0#save()", inModule(), "one");

    assertThat(shut).isEqualTo(new Outcome(0, "NotLeaderException\n", ""));
    assertThat(open).isEqualTo(new Outcome(0, "ran\n", ""));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void applicationModuleNamedLikeAJdkModuleIsGated(String jdk) throws Exception {
    for (String name : List.of("java.mail", "jdk.mail")) {
      Path jar =
          writeJar(
              name.replace('.', '-') + "-1.6.jar",
              "acme/Main",
              "acme/Main$1",
              "acme/Store",
              "acme/gen/G0",
              "acme/gen/P0");
      List<String> options = List.of("-p", jar.toString(), "-m", name + "/acme.Main");

      Outcome shut = run(jdk, "shut:acme.gen.G0#save()", options, "one");

      assertThat(shut).as(name).isEqualTo(new Outcome(0, "NotLeaderException\n", ""));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void jdkModuleIsNotWoven(String jdk) throws Exception {
    List<String> options = new ArrayList<>(List.of("--add-modules", "jdk.compiler"));
    options.addAll(onClassPath());

    Outcome shut = run(jdk, "shut:com.sun.tools.javac.**#*(..)", options, "javac");

    assertThat(shut).isEqualTo(new Outcome(0, "0\n", ""));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void applicationClassOnTheBootstrapLoaderIsGated(String jdk) throws Exception {
    List<String> options = List.of("-Xbootclasspath/a:" + app(), "acme.Main");

    Outcome shut = run(jdk, "shut:acme.gen.G0#save()", options, "one");
    Outcome open = run(jdk, "open:acme.gen.G0#save()", options, "one");
    Outcome loadedBefore = run(jdk, "late:acme.gen.G0#save()", options, "one");
    Outcome many = run(jdk, "shut:**#save(..)", options, "many");

    assertThat(shut).isEqualTo(new Outcome(0, "NotLeaderException\n", ""));
    assertThat(open).isEqualTo(new Outcome(0, "ran\n", ""));
    assertThat(loadedBefore).isEqualTo(shut);
    assertThat(many)
        .isEqualTo(new Outcome(0, "{NotLeaderException=%d}\n".formatted(4 * CLASSES), ""));
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void canaryReportsNoFailureWhileTheJvmExits(String jdk) throws Exception {
    for (int exit = 0; exit < 5; exit++) {
      assertThat(run(jdk, "checking:acme.gen.G0#save()", onClassPath(), "one"))
          .isEqualTo(new Outcome(0, "NotLeaderException\n", ""));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void concurrentlyLoadedClassesAreGatedWithoutDeadlock(String jdk) throws Exception {
    for (String loom : List.of("", "recheck:")) {
      assertThat(run(jdk, "shut:" + loom + "acme.gen.G*#*(..)", onClassPath(), "many"))
          .isEqualTo(new Outcome(0, "{NotLeaderException=%d}\n".formatted(4 * CLASSES), ""));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void subtypesAndAnnotatedMethodsAreGatedInModulesToo(String jdk) throws Exception {
    for (String rule : List.of("acme.Store+#put()", "@acme.Job **#*(..)")) {
      for (List<String> options : List.of(onClassPath(), inModule())) {
        assertThat(run(jdk, "shut:" + rule, options, "many"))
            .isEqualTo(new Outcome(0, "{NotLeaderException=%d}\n".formatted(4 * CLASSES), ""));
        assertThat(run(jdk, "open:" + rule, options, "one")).isEqualTo(new Outcome(0, "ran\n", ""));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void dynamicProxyInAModuleOfItsOwnIsGated(String jdk) throws Exception {
    for (List<String> options : List.of(onClassPath(), inModule())) {
      assertThat(run(jdk, "shut:acme.Store+#put()", options, "proxy"))
          .isEqualTo(new Outcome(0, "NotLeaderException\n", ""));
      assertThat(run(jdk, "open:acme.Store+#put()", options, "proxy"))
          .isEqualTo(new Outcome(0, "ran\n", ""));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void concurrentClassFileLookUpsDoNotDeadlock(String jdk) throws Exception {
    for (String rule : List.of("acme.Store+#put()", "@acme.Job **#*(..)")) {
      assertThat(run(jdk, "shut:" + rule, onClassPath(), "apart", app().toString()))
          .isEqualTo(new Outcome(0, "{NotLeaderException=%d}\n".formatted(8 * CLASSES), ""));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void byteBuddyIsNotLoadedWhileNoRuleMatchesAClass(String jdk) throws Exception {
    for (String rule : List.of("com.acme.**#save()", "com.acme.Store+#*(..)", "@com.Job **#*()")) {
      Path log = folder.resolve("classes.log");
      List<String> options = new ArrayList<>(List.of("-Xlog:class+load:file=" + log));
      options.addAll(onClassPath());

      Outcome idle = run(jdk, "idle:" + rule, options, "one");

      assertThat(idle).isEqualTo(new Outcome(0, "ran\n", ""));
      assertThat(Files.readString(log))
          .contains("io.portcullis.rules.weave.Weaver")
          .doesNotContain("net.bytebuddy");
    }
  }

  /** It would cause warnings about Unsafe on recent JDKs; without it no property has to be set. */
  @ParameterizedTest
  @MethodSource("jdks")
  void weavingNeverTouchesByteBuddysNexus(String jdk) throws Exception {
    assertThat(loadedToRefuseBy("recheck:acme.gen.G0#save()", jdk))
        .contains("net.bytebuddy.asm.Advice")
        .doesNotContain("Nexus");
  }

  /** Those are hundreds of classes, and most of what weaving would add to the start-up time. */
  @ParameterizedTest
  @MethodSource("jdks")
  void plainRulesLoadOnlyTheAsmOfByteBuddy(String jdk) throws Exception {
    assertThat(loadedToRefuseBy("acme.gen.G0#save()", jdk))
        .contains("net.bytebuddy.jar.asm.ClassWriter")
        .doesNotContainPattern("net\\.bytebuddy\\.(?!jar\\.asm\\.)\\w+.* source:");
  }

  private static String loadedToRefuseBy(String rule, String jdk) throws Exception {
    Path log = Files.createTempFile(folder, "loaded", ".log");
    List<String> options = new ArrayList<>(onClassPath());
    options.add(0, "-Xlog:class+load:file=" + log);
    assertThat(run(jdk, "shut:" + rule, options, "one"))
        .isEqualTo(new Outcome(0, "NotLeaderException\n", ""));
    return Files.readString(log);
  }

  private record Outcome(int exit, String out, String err) {}

  private static Outcome run(String jdk, String rule, List<String> options, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(jdk, "bin", "java").toString());
    command.add("-Xshare:auto");
    command.add("-Xbootclasspath/a:" + locationOf(Gate.class));
    command.add("-Dengine.path=" + enginePath());
    command.add("-javaagent:" + folder.resolve("agent.jar") + "=" + rule);
    command.addAll(options);
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
      return new Outcome(
          process.exitValue(), Files.readString(out), withoutCdsNote(Files.readString(err)));
    } finally {
      process.destroyForcibly();
    }
  }

  /** The option that replaces the agent's manifest here makes some JDKs print a warning. */
  private static String withoutCdsNote(String err) {
    return err.replaceAll("(?m)^.*Sharing is only supported for boot loader classes.*\\R", "");
  }

  private static List<String> inModule() {
    return List.of("-p", app().toString(), "-m", "acme.app/acme.Main");
  }

  private static List<String> onClassPath() {
    return List.of("-cp", app().toString(), "acme.Main");
  }

  private static Path app() {
    return folder.resolve("app");
  }

  private static String enginePath() {
    return String.join(
        File.pathSeparator,
        locationOf(Weaver.class),
        locationOf(ForkedWeaverStart.class),
        locationOf(ByteBuddy.class));
  }

  private static String locationOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  private static String write(String name, String text) throws IOException {
    Path file = folder.resolve("src").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return file.toString();
  }

  private static Path writeJar(String fileName, String... classes) throws IOException {
    Path jar = folder.resolve(fileName);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : classes) {
        out.putNextEntry(new ZipEntry(name + ".class"));
        out.write(Files.readAllBytes(app().resolve(name + ".class")));
        out.closeEntry();
      }
    }
    return jar;
  }

  private static void writeAgentJar() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", ForkedAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream file = Files.newOutputStream(folder.resolve("agent.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      String entry = ForkedAgent.class.getName().replace('.', '/') + ".class";
      jar.putNextEntry(new ZipEntry(entry));
      jar.write(SampleClassLoader.classFile(ForkedAgent.class.getName()));
      jar.closeEntry();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
