package io.portcullis.demo;

import java.nio.file.Files;
import java.nio.file.Path;

/** The jars of the agent and of the demo service. */
record DemoJars(Path agent, Path service) {

  /** Finds them below the root of the repository. */
  static DemoJars below(Path root) {
    return new DemoJars(
        existing(root.resolve("agent/target/portcullis-agent.jar")),
        existing(root.resolve("demo-service/target/demo-service.jar")));
  }

  private static Path existing(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new DemoFailureException(jar + " is missing; build it with ./demo or mvn package.");
    }
    return jar.toAbsolutePath();
  }
}
