package io.portcullis.benchmarks.classes;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cost of rules for classes that they do not match; started by {@code
 * benchmarks/class-loading}. Exit code 0: all targets were reached; 1: some were not; 2: measuring
 * failed.
 */
public final class ClassLoading {
  private static final int ROUNDS = 5;
  private static final int TIMEOUT_SECONDS = 120;
  private static final List<Integer> RULES = List.of(0, 10, 100, 1000);

  private ClassLoading() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    boolean quick = List.of(args).equals(List.of("--quick"));
    if (args.length > 0 && !quick) {
      System.err.println("Usage: class-loading [--quick]    (--quick: one round, rough results)");
      System.exit(2);
    }
    System.exit(run(quick ? 1 : ROUNDS));
  }

  private static int run(int rounds) throws IOException, InterruptedException {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Path plain = Files.createTempFile("made", ".jar");
    Path family = Files.createTempFile("made", ".jar");
    try {
      GeneratedClasses.write(plain, false);
      GeneratedClasses.write(family, true);
      Report report = new Report(measure(plain, family, rounds));
      System.out.printf(
          Locale.ROOT,
          "JDK %s, %d cores, load %.1f at the start; %d classes, median of %d JVMs%n%n%s",
          Runtime.version(),
          Runtime.getRuntime().availableProcessors(),
          load,
          GeneratedClasses.ALL,
          rounds,
          report.render());
      return report.allTargetsReached() ? 0 : 1;
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      return 2;
    } finally {
      Files.deleteIfExists(plain);
      Files.deleteIfExists(family);
    }
  }

  private static Map<LoadingSetting, List<LoadingTimes>> measure(
      Path plain, Path family, int rounds) throws IOException, InterruptedException {
    Map<LoadingSetting, List<LoadingTimes>> loadings = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (LoadingSetting setting : settings()) {
        Path jar = setting.parents() ? family : plain;
        loadings.computeIfAbsent(setting, any -> new ArrayList<>()).add(load(setting, jar));
      }
    }
    return loadings;
  }

  private static List<LoadingSetting> settings() {
    List<LoadingSetting> settings = new ArrayList<>();
    for (boolean parents : new boolean[] {false, true}) {
      for (RuleKind kind : RuleKind.values()) {
        for (int rules : RULES) {
          settings.add(new LoadingSetting(parents, kind, rules));
        }
      }
    }
    return settings;
  }

  private static LoadingTimes load(LoadingSetting setting, Path jar)
      throws IOException, InterruptedException {
    String own = System.getProperty("java.class.path");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-javaagent:" + own + "=" + setting,
                "-cp",
                own,
                LoadingJvm.class.getName(),
                jar.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException("A JVM with " + setting + " failed: " + out);
      }
      return LoadingTimes.parse(out);
    } finally {
      process.destroyForcibly();
    }
  }
}
