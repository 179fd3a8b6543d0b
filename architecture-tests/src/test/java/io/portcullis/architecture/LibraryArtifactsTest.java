package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the transitive dependencies of each artifact of the library. */
class LibraryArtifactsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern NAME =
      Pattern.compile("<groupId>(.*?)</groupId>\\s*<artifactId>(.*?)</artifactId>");
  private static final Pattern BUILD_ONLY = Pattern.compile("<scope>(test|provided)</scope>");

  @ParameterizedTest
  @CsvSource({
    "redis, io\\.lettuce:.*|io\\.netty:.*",
    "postgres, org\\.postgresql:postgresql|com\\.zaxxer:HikariCP|org\\.checkerframework:.*",
    "quorum, none",
    "kubernetes, io\\.fabric8:.*"
  })
  void backendArtifactBringsCoreAndItsClient(String backend, String client) throws IOException {
    List<String> dependencies = dependencies("backends/" + backend);

    assertThat(dependencies).contains("io.portcullis:portcullis-election-core");
    assertThat(dependencies)
        .filteredOn(name -> !name.equals("io.portcullis:portcullis-election-core"))
        .allMatch(name -> name.matches(client));
  }

  @Test
  void coreArtifactBringsOnlyTheLoggingApi() throws IOException {
    assertThat(dependencies("election-core")).containsExactly("org.slf4j:slf4j-api");
  }

  private static List<String> dependencies(String module) throws IOException {
    String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    List<String> names = new ArrayList<>();
    Matcher dependency = DEPENDENCY.matcher(pom);
    while (dependency.find()) {
      Matcher name = NAME.matcher(dependency.group(1));
      if (!BUILD_ONLY.matcher(dependency.group(1)).find() && name.find()) {
        names.add(name.group(1) + ":" + name.group(2));
      }
    }
    return names;
  }
}
