package io.portcullis.benchmarks.classes;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/** Loads all the classes and prints a {@link LoadingTimes}. */
public final class LoadingJvm {
  private LoadingJvm() {}

  public static void main(String[] args) throws Exception {
    URL[] jar = {Path.of(args[0]).toUri().toURL()};
    List<String> names = GeneratedClasses.names();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    try (URLClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
      for (String name : names) {
        loader.loadClass(name);
      }
    }
    double nanos = (double) (threads.getCurrentThreadCpuTime() - start) / GeneratedClasses.ALL;
    if (TimedWeaver.classes() != GeneratedClasses.ALL) {
      throw new IllegalStateException("The weaver saw " + TimedWeaver.classes() + " classes.");
    }
    System.out.println(new LoadingTimes(TimedWeaver.nanosPerClass(), nanos));
  }
}
