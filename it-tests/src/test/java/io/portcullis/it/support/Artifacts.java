package io.portcullis.it.support;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files under test. */
public final class Artifacts {
  private Artifacts() {}

  public static Path agent() {
    return file("portcullis.it.agent", "../agent/target/portcullis-agent.jar");
  }

  public static Path demoService() {
    return file("portcullis.it.demo", "../demo-service/target/demo-service.jar");
  }

  /** A Spring Boot application as packaged by its plugin. */
  public static Path springBoot() {
    return file("portcullis.it.spring-boot", "../test-apps/spring-boot/target/spring-boot-app.jar");
  }

  /** Programs that use Quartz, Flyway and JDBC; the manifest names the libraries. */
  public static Path jobs() {
    return file("portcullis.it.jobs", "../test-apps/jobs/target/jobs.jar");
  }

  /** A program that writes with drivers other than pgjdbc; the manifest names them. */
  public static Path otherDrivers() {
    return file(
        "portcullis.it.other-drivers", "../test-apps/other-drivers/target/other-drivers.jar");
  }

  /** A published fork of pgjdbc, with its classes in another package. */
  public static Path forkedDriver() {
    return file("portcullis.it.forked-driver", "target/apps/forked-driver.jar");
  }

  /** A published application. */
  public static Path wireMock() {
    return file("portcullis.it.wiremock", "target/apps/wiremock-standalone.jar");
  }

  /** The folder with the test classes, including the small test applications. */
  public static Path testClasses() {
    return Path.of(
        URI.create(Artifacts.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private static Path file(String property, String otherwise) {
    Path file = Path.of(System.getProperty(property, otherwise)).toAbsolutePath().normalize();
    if (!Files.isRegularFile(file)) {
      throw new IllegalStateException(
          file
              + " does not exist; build it first (mvn verify at the root does), or name another"
              + " with -D"
              + property
              + "=…");
    }
    return file;
  }
}
