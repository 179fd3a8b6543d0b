package io.portcullis.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The result of a command. */
public record CommandResult(int exitCode, String stdout, String stderr) {
  private static final int TIMEOUT_SECONDS = 120;

  /** Runs a command in {@code folder}, where its output is kept too. */
  public static CommandResult run(Path folder, Map<String, String> env, List<String> words)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "command", ".out");
    Path err = Files.createTempFile(folder, "command", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("PORTCULLIS"));
    builder.environment().putAll(env);
    Process process = builder.start();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(words + " did not end: " + Files.readString(err, UTF_8));
      }
    } finally {
      process.destroyForcibly();
    }
    return new CommandResult(
        process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }
}
