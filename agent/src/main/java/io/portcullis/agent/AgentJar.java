package io.portcullis.agent;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** The agent's own jar file; opens class loaders on the folders inside it. */
final class AgentJar {
  private static final String OWN_CLASS =
      PortcullisAgent.class.getName().replace('.', '/') + ".class";
  private static final String ENGINE = "engine/";
  private static final String BACKENDS = "backends/";
  private static final String SERVICE = "/META-INF/services/io.portcullis.election.backend.Backend";

  private final File file;
  private final JarFile jar;

  private AgentJar(File file) throws IOException {
    this.file = file;
    // Not verified: the JVM has already loaded the launcher from it, and verification takes time.
    this.jar = new JarFile(file, false);
  }

  /**
   * Finds the jar through the URL of this class file, because classes on the bootstrap loader have
   * no code source.
   */
  static AgentJar ofThisClass() throws IOException {
    URL found = ClassLoader.getSystemResource(OWN_CLASS);
    if (found == null || !found.getProtocol().equals("jar")) {
      throw new IOException("the agent runs only from its jar file, not from " + found);
    }
    String path = found.getPath();
    return new AgentJar(new File(URI.create(path.substring(0, path.lastIndexOf("!/")))));
  }

  File file() {
    return file;
  }

  /**
   * Returns the engine's class loader. Besides its own classes the engine sees only those of {@code
   * parent}: in an application these are the JDK and the gate, and no application classes.
   */
  ClassLoader engineLoader(ClassLoader parent) {
    return new NestedJarClassLoader("portcullis-engine", jar, file.toURI(), ENGINE, parent);
  }

  /**
   * Returns a lookup of backend loaders by name. Each backend has its own loader, opened once; the
   * lookup returns null for a backend that is not in this jar.
   */
  Function<String, @Nullable ClassLoader> backendLoaders(ClassLoader engine) {
    Map<String, ClassLoader> opened = new ConcurrentHashMap<>();
    return name ->
        jar.getEntry(BACKENDS + name + SERVICE) == null
            ? null
            : opened.computeIfAbsent(name, each -> backendLoader(each, engine));
  }

  private ClassLoader backendLoader(String name, ClassLoader engine) {
    return new NestedJarClassLoader(
        "portcullis-" + name, jar, file.toURI(), BACKENDS + name + "/", engine);
  }
}
