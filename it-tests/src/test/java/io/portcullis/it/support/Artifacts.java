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

  /** A Spring Boot application as its plugin packs it. */
  public static Path springBoot() {
    return file("portcullis.it.spring-boot", "../test-apps/spring-boot/target/spring-boot-app.jar");
  }

  /** Programs around Quartz, Flyway and JDBC; its manifest names the libraries beside it. */
  public static Path jobs() {
    return file("portcullis.it.jobs", "../test-apps/jobs/target/jobs.jar");
  }

  /** A program that writes by drivers other than pgjdbc; its manifest names them. */
  public static Path otherDrivers() {
    return file(
        "portcullis.it.other-drivers", "../test-apps/other-drivers/target/other-drivers.jar");
  }

  /** A fork of pgjdbc as it is published, with its classes in another package. */
  public static Path forkedDriver() {
    return file("portcullis.it.forked-driver", "target/apps/forked-driver.jar");
  }

  /** An application as it is published. */
  public static Path wireMock() {
    return file("portcullis.it.wiremock", "target/apps/wiremock-standalone.jar");
  }

  /** The folder with the classes of these tests, where small applications live as well. */
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
