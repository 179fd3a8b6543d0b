package io.portcullis.it.support;

import java.util.List;
import java.util.regex.Pattern;

/** Recognizes the lines that the agent writes to standard error: a time, then the logger. */
public final class AgentLogLines {
  private static final Pattern LINE =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z portcullis .*");

  private AgentLogLines() {}

  public static boolean matches(String line) {
    return LINE.matcher(line).matches();
  }

  /** The other lines on a JVM's standard error. */
  public static List<String> otherStderrLines(ServiceJvm jvm) {
    return jvm.output().stderr().stream().filter(line -> !matches(line)).toList();
  }
}
