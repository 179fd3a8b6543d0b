package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which libraries each artifact of the library brings, transitively, as Maven resolved them
 * when it built the module. A library that the module itself needs only to compile is not listed,
 * even if the client brings it at run time: the annotations of JSpecify, which Reactor brings.
 */
class LibraryArtifactsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @ParameterizedTest
  @CsvSource({
    """
    redis, lettuce-core netty-buffer netty-codec-base netty-common netty-handler netty-resolver \
    netty-transport netty-transport-native-unix-common reactive-streams reactor-core""",
    "postgres, postgresql HikariCP",
    "quorum, ''",
    """
    kubernetes, kubernetes-client-api kubernetes-httpclient-jdk kubernetes-model-common \
    kubernetes-model-core jackson-annotations jackson-core jackson-databind \
    jackson-dataformat-yaml jackson-datatype-jsr310 snakeyaml snakeyaml-engine"""
  })
  void backendArtifactBringsCoreAndItsClient(String backend, String client) throws IOException {
    assertThat(runtimeLibraries("backends/" + backend))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of("portcullis-election-core slf4j-api", client)
                .flatMap(LibraryArtifactsTest::names)
                .toList());
  }

  @Test
  void coreArtifactBringsOnlyTheLoggingApi() throws IOException {
    assertThat(runtimeLibraries("election-core")).containsExactly("slf4j-api");
  }

  private static Stream<String> names(String list) {
    return Stream.of(list.split(" ")).filter(name -> !name.isEmpty());
  }

  /** Reads the list that execution {@code runtime-classpath} of the parent POM writes. */
  private static List<String> runtimeLibraries(String module) throws IOException {
    Path list = ROOT.resolve(module).resolve("target/runtime-classpath.txt");
    assertThat(list).as("written when the module is built; run Maven with -am").exists();
    return Stream.of(Files.readString(list).strip().split(","))
        .map(entry -> entry.replaceFirst("^lib/(.*)\\.jar$", "$1"))
        .toList();
  }
}
