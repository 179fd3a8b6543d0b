package io.portcullis.testsupport;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Java example of a page in {@code docs}, compiled and run as it is printed there, except that
 * values such as addresses are replaced by those of the test.
 */
public final class DocumentedExample {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 50;

  private final String place;
  private final String code;

  private DocumentedExample(String place, String code) {
    this.place = place;
    this.code = code;
  }

  /**
   * The first Java block below a heading.
   *
   * @param page the page, from the root of the repository, such as {@code docs/library.md}
   */
  public static DocumentedExample of(String page, String heading) throws IOException {
    String place = page + " below the heading " + heading;
    Pattern block =
        Pattern.compile(
            "(?ms)^#+ " + Pattern.quote(heading) + "\n(?:(?!^#).)*?^```java\n(.*?)^```$");
    Matcher found = block.matcher(Files.readString(find(page)));
    if (!found.find()) {
      throw new IllegalStateException("No Java example in " + place);
    }
    return new DocumentedExample(place, found.group(1));
  }

  private static Path find(String page) {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve(page))) {
        return folder.resolve(page);
      }
    }
    throw new IllegalStateException(page + " was not found");
  }

  /** Number of lines. */
  public int length() {
    return (int) code.lines().count();
  }

  /** The same example with another value in the place of this one. */
  public DocumentedExample with(String value, String replacement) {
    if (!code.contains(value)) {
      throw new IllegalStateException(value + " is not in " + place);
    }
    return new DocumentedExample(place, code.replace(value, replacement));
  }

  /**
   * Compiles the example, and starts it on a thread of its own. It may call {@code running()}, and
   * {@code work(epoch)} while it leads.
   *
   * @param classes an empty folder for the compiled class
   * @param packages the packages that it imports, besides those of the JDK
   */
  public Run start(Path classes, String... packages) throws Exception {
    SourceCompiler.withTestClassPath().compileTexts(List.of(source(packages)), classes);
    URL[] path = {classes.toUri().toURL()};
    URLClassLoader loader = new URLClassLoader(path, DocumentedExample.class.getClassLoader());
    return new Run(loader).start();
  }

  private String source(String... packages) {
    StringBuilder imports = new StringBuilder();
    for (String each : packages) {
      imports.append("import ").append(each).append(".*;\n");
    }
    return """
        package example;
        import java.nio.file.*;
        import java.time.*;
        %s
        public final class Example {
          private final java.util.function.BooleanSupplier running;
          private final java.util.function.LongConsumer work;
          public Example(
              java.util.function.BooleanSupplier running, java.util.function.LongConsumer work) {
            this.running = running;
            this.work = work;
          }
          boolean running() {
            return running.getAsBoolean();
          }
          void work(long epoch) {
            work.accept(epoch);
          }
          public Void run() throws Exception {
            %s
            return null;
          }
        }
        """
        .formatted(imports, code);
  }

  /** An example that runs until it ends by itself or is closed. */
  public static final class Run implements AutoCloseable {
    private final URLClassLoader loader;
    private final BlockingQueue<Long> work = new LinkedBlockingQueue<>();
    private final FutureTask<Object> task = new FutureTask<>(this::run);
    private volatile boolean running = true;

    private Run(URLClassLoader loader) {
      this.loader = loader;
    }

    private Run start() {
      Thread thread = new Thread(task, "documented-example");
      thread.setDaemon(true);
      thread.start();
      return this;
    }

    private Object run() throws Exception {
      Class<?> type = loader.loadClass("example.Example");
      try {
        BooleanSupplier isRunning = () -> running;
        LongConsumer onWork = work::add;
        Object example =
            type.getConstructor(BooleanSupplier.class, LongConsumer.class)
                .newInstance(isRunning, onWork);
        type.getMethod("run").invoke(example);
        return example;
      } catch (InvocationTargetException e) {
        throw new IllegalStateException("The example failed", e.getCause());
      }
    }

    /** Waits until the example works as leader, and returns its epoch. */
    public long awaitWork() throws InterruptedException {
      long deadline = System.nanoTime() + MAX_WAIT.toNanos();
      while (deadline - System.nanoTime() > 0 && !(task.isDone() && work.isEmpty())) {
        Long epoch = work.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (epoch != null) {
          return epoch;
        }
      }
      close();
      throw new IllegalStateException("The example never worked as leader");
    }

    /** Whether it worked as leader since the last call of {@link #awaitWork}. */
    public boolean hasWorked() {
      return !work.isEmpty();
    }

    /** Waits until the example has ended, and returns whether it worked as leader. */
    public boolean awaitEnd() throws InterruptedException {
      try {
        task.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      } catch (TimeoutException e) {
        throw new IllegalStateException("The example did not end", e);
      }
      return !work.isEmpty();
    }

    /** Lets the example end, and waits for that. */
    @Override
    public void close() {
      running = false;
      try {
        awaitEnd();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
