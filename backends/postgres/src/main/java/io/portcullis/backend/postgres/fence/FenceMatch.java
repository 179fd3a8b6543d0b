package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.line.JdbcUrl;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which databases are meant: the start of a JDBC URL in which {@code *} stands for any run of
 * characters. Hosts are compared without regard to case, as they are looked up.
 *
 * @param text as it was written
 * @param pattern what it comes to
 */
record FenceMatch(String text, Pattern pattern) {
  private static final String START = "jdbc:postgresql://";
  private static final int USUAL_PORT = 5432;

  /** The pattern, or {@link IllegalArgumentException} with a sentence. */
  static FenceMatch parse(String text) {
    String example = " Example: " + START + "*/app";
    if (!text.startsWith(START)) {
      throw new IllegalArgumentException("must begin with " + START + "." + example);
    }
    if (text.contains("?")) {
      throw new IllegalArgumentException(
          "must end with the database: what a URL has after a question mark is not compared."
              + example);
    }
    String place = text.substring(START.length());
    int slash = place.lastIndexOf('/');
    if (slash < 0 || slash == place.length() - 1) {
      throw new IllegalArgumentException("names no database; * means any." + example);
    }
    if (slash == 0) {
      throw new IllegalArgumentException("names no host; * means any." + example);
    }
    String host = place.substring(0, slash).toLowerCase(Locale.ROOT);
    return new FenceMatch(text, globbed(host + place.substring(slash)));
  }

  private static Pattern globbed(String glob) {
    String regex =
        Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  /** The database of this URL by whatever name its host has, at its port if it names one. */
  static FenceMatch of(JdbcUrl url) {
    List<String> ports =
        url.namesPorts()
            ? url.hosts().stream().map(host -> host.replaceAll(".*:", "")).distinct().toList()
            : List.of();
    String port = ports.size() == 1 ? ":" + ports.get(0) : "";
    return parse(START + "*" + port + "/" + url.database());
  }

  boolean covers(String host, int port, String database) {
    String lower = host.toLowerCase(Locale.ROOT);
    return Stream.of(lower, "[" + lower + "]")
        .flatMap(
            name ->
                port == USUAL_PORT
                    ? Stream.of(name + ":" + port, name)
                    : Stream.of(name + ":" + port))
        .anyMatch(place -> pattern.matcher(place + "/" + database).matches());
  }
}
