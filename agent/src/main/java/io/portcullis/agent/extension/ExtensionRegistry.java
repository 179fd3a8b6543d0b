package io.portcullis.agent.extension;

import io.portcullis.agent.extension.Extensions.Extension;
import io.portcullis.election.ListenerFactory;
import io.portcullis.election.backend.Backend;
import io.portcullis.rules.extension.RefusalAction;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AllPermission;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Opens the extensions of this JVM, each once. A configuration reload uses the extensions that were
 * opened at startup.
 */
public final class ExtensionRegistry {
  private static final List<Class<?>> SERVICES =
      List.of(Backend.class, ListenerFactory.class, RefusalAction.class);

  private final Map<Path, Extension> opened = new ConcurrentHashMap<>();
  private final ClassLoader published =
      new ExtensionApiClassLoader(ExtensionRegistry.class.getClassLoader());

  private volatile boolean sealed;

  /** Refuses to open further jars: the code that runs in this JVM is fixed at startup. */
  public void seal() {
    sealed = true;
  }

  /**
   * Opens a jar and instantiates all services that its service files name.
   *
   * @throws InvalidExtensionException if the jar or any of its services can't be used
   */
  public Extension open(Path jar) throws InvalidExtensionException {
    Extension before = opened.get(jar);
    if (before != null) {
      return before;
    }
    if (sealed) {
      throw new InvalidExtensionException(
          "was not named when this JVM started, and extensions are opened at startup only; restart"
              + " the JVM");
    }
    Extension extension = read(jar);
    opened.put(jar, extension);
    return extension;
  }

  /** Whether a loader belongs to an extension or is a descendant of an extension's loader. */
  public static boolean isExtensionLoader(ClassLoader loader) {
    for (ClassLoader each = loader; each != null; each = each.getParent()) {
      if (each instanceof ExtensionClassLoader) {
        return true;
      }
    }
    return false;
  }

  private Extension read(Path jar) throws InvalidExtensionException {
    JarFile file = openJar(jar);
    ExtensionClassLoader loader = new ExtensionClassLoader(file, jar.toFile(), published);
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Extension extension =
          new Extension(
              jar,
              byName(instantiate(Backend.class, loader), Backend::name),
              byName(instantiate(RefusalAction.class, loader), RefusalAction::name),
              instantiate(ListenerFactory.class, loader));
      if (extension.backends().isEmpty()
          && extension.actions().isEmpty()
          && extension.listeners().isEmpty()) {
        throw new InvalidExtensionException(
            "contains nothing; put a file into its META-INF/services, named "
                + String.join(" or ", SERVICES.stream().map(Class::getName).toList())
                + ", with the name of the class that implements it");
      }
      return extension;
    } catch (InvalidExtensionException e) {
      close(file);
      throw e;
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  private static JarFile openJar(Path jar) throws InvalidExtensionException {
    if (!Files.exists(jar)) {
      throw new InvalidExtensionException(
          "does not exist; name a jar, relative to this file's folder");
    }
    if (!Files.isRegularFile(jar)) {
      throw new InvalidExtensionException("is no file; name a jar");
    }
    if (!Files.isReadable(jar)) {
      throw new InvalidExtensionException(
          "is not readable for this process; grant read permission");
    }
    File file = jar.toFile();
    try {
      // Signatures are not verified: the operator has named the jar, and no signer is required.
      return new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version());
    } catch (ZipException e) {
      throw new InvalidExtensionException("is not a jar; name one");
    } catch (IOException e) {
      throw new InvalidExtensionException(
          "can't be read: " + e.getClass().getSimpleName() + "; name a jar");
    }
  }

  private static <T> List<T> instantiate(Class<T> service, ClassLoader loader)
      throws InvalidExtensionException {
    try {
      return ServiceLoader.load(service, loader).stream().map(ServiceLoader.Provider::get).toList();
    } catch (Throwable e) { // Third-party code: if it throws anything, this jar can't be used.
      throw new InvalidExtensionException(
          "can't be used, since its "
              + service.getSimpleName()
              + " could not be made: "
              + reason(e)
              + "; fix the extension, or leave it out");
    }
  }

  private static <T> Map<String, T> byName(List<T> services, Function<T, String> name)
      throws InvalidExtensionException {
    Map<String, T> byName = new HashMap<>();
    for (T service : services) {
      String given;
      try {
        given = name.apply(service);
      } catch (Throwable e) { // Third-party code, as above.
        throw new InvalidExtensionException(
            "can't be used, since "
                + service.getClass().getName()
                + ".name() failed: "
                + reason(e)
                + "; fix the extension, or leave it out");
      }
      if (given == null || !given.matches("[A-Za-z0-9._-]+")) {
        throw new InvalidExtensionException(
            "can't be used, since "
                + service.getClass().getName()
                + " has no name of letters, digits, '.', '_' and '-'; give it one");
      }
      if (byName.putIfAbsent(given, service) != null) {
        throw new InvalidExtensionException(
            "contains '" + given + "' twice; leave one of them out");
      }
    }
    return byName;
  }

  private static String reason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause == e ? String.valueOf(e) : e + " (" + cause + ")";
  }

  private static void close(JarFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // The jar is refused anyway.
    }
  }

  /**
   * Loads classes and resources from one extension's jar. Reads the jar directly and not via the
   * JVM's handler for jar URLs, which the application may have replaced.
   */
  static final class ExtensionClassLoader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    /**
     * Grants all permissions: the operator has named the jar, and a security manager's policy
     * covers only the application.
     */
    private static final ProtectionDomain TRUSTED = trusted();

    private final JarFile jar;
    private final File file;

    ExtensionClassLoader(JarFile jar, File file, ClassLoader parent) {
      super("portcullis-extension-" + file.getName(), parent);
      this.jar = jar;
      this.file = file;
    }

    private static ProtectionDomain trusted() {
      Permissions all = new Permissions();
      all.add(new AllPermission());
      return new ProtectionDomain(null, all);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      ZipEntry entry = jar.getEntry(name.replace('.', '/') + ".class");
      if (entry == null) {
        throw ExtensionApiClassLoader.notFound(name);
      }
      try (InputStream in = jar.getInputStream(entry)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length, TRUSTED);
      } catch (IOException e) {
        throw new ClassNotFoundException(name + " can't be read from " + file, e);
      }
    }

    @Override
    protected @Nullable URL findResource(String name) {
      ZipEntry entry = jar.getEntry(name);
      if (entry == null) {
        return null;
      }
      try {
        return new URL(
            null, "jar:" + file.toURI() + "!/" + name, new ExtensionEntryHandler(jar, entry));
      } catch (MalformedURLException e) {
        throw new IllegalStateException("The extension's path can't be made a URL: " + file, e);
      }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      URL found = findResource(name);
      return Collections.enumeration(found == null ? List.of() : List.of(found));
    }

    /** Opens one entry of the jar. */
    private static final class ExtensionEntryHandler extends URLStreamHandler {
      private final JarFile jar;
      private final ZipEntry entry;

      ExtensionEntryHandler(JarFile jar, ZipEntry entry) {
        this.jar = jar;
        this.entry = entry;
      }

      @Override
      protected URLConnection openConnection(URL url) {
        return new URLConnection(url) {
          @Override
          public void connect() {
            connected = true;
          }

          @Override
          public InputStream getInputStream() throws IOException {
            return jar.getInputStream(entry);
          }
        };
      }
    }
  }

  /**
   * Thrown when a jar can't be used as an extension. The message is a predicate without a subject:
   * the reason, and how to fix it.
   */
  public static final class InvalidExtensionException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidExtensionException(String why) {
      super(why);
    }

    /** The message, never null. */
    public String why() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * Parent loader of all extensions. Exposes the JDK and the agent's types that {@code
   * docs/extensions.md} names. All else of the agent is hidden: otherwise one of its libraries
   * could take precedence over a different version in the extension's jar.
   */
  static final class ExtensionApiClassLoader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    private static final String OURS = "io.portcullis.";
    private static final String LOGGING = "org.slf4j.";

    private static final Set<String> PACKAGES =
        Set.of(
            "io.portcullis.election",
            "io.portcullis.election.backend",
            "io.portcullis.election.config",
            "io.portcullis.election.store",
            "io.portcullis.rules.extension",
            "io.portcullis.gate");

    /** Parameter types of listeners, in a package that is not published. */
    private static final Set<String> TYPES =
        Set.of(
            "io.portcullis.election.machine.LossReason", "io.portcullis.election.machine.Leader");

    private final ClassLoader engine;

    ExtensionApiClassLoader(ClassLoader engine) {
      super("portcullis-published", ClassLoader.getPlatformClassLoader());
      this.engine = engine;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(LOGGING) || isPublished(name)) {
        return engine.loadClass(name);
      }
      if (name.startsWith(OURS)) {
        // The launcher is on the bootstrap loader; the platform loader would find it there.
        throw notFound(name);
      }
      return super.loadClass(name, resolve);
    }

    /** Adds a reason for the agent's own classes, where the author may not expect the failure. */
    static ClassNotFoundException notFound(String name) {
      return new ClassNotFoundException(
          name + (name.startsWith(OURS) ? " is not published to extensions" : ""));
    }

    private static boolean isPublished(String name) {
      int dot = name.lastIndexOf('.');
      return (dot > 0 && PACKAGES.contains(name.substring(0, dot))) || TYPES.contains(name);
    }
  }
}
