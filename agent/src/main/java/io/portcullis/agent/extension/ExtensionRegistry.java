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
 * The extensions of this JVM, each opened once: a configuration that is read again finds those of
 * the start.
 */
public final class ExtensionRegistry {
  private static final List<Class<?>> SERVICES =
      List.of(Backend.class, ListenerFactory.class, RefusalAction.class);

  private final Map<Path, Extension> opened = new ConcurrentHashMap<>();
  private final ClassLoader published =
      new ExtensionApiClassLoader(ExtensionRegistry.class.getClassLoader());

  private volatile boolean sealed;

  /** From now on no other jar is opened: what runs in this JVM is settled at its start. */
  public void seal() {
    sealed = true;
  }

  /**
   * Opens a jar and makes all that its service files name.
   *
   * @throws InvalidExtensionException if it can't be had as a whole
   */
  public Extension open(Path jar) throws InvalidExtensionException {
    Extension before = opened.get(jar);
    if (before != null) {
      return before;
    }
    if (sealed) {
      throw new InvalidExtensionException(
          "was not named when this JVM started, and extensions are opened at the start only; start"
              + " the JVM again");
    }
    Extension extension = read(jar);
    opened.put(jar, extension);
    return extension;
  }

  /** Whether a loader is that of an extension, or one that an extension has made. */
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
              named(made(Backend.class, loader), Backend::name),
              named(made(RefusalAction.class, loader), RefusalAction::name),
              made(ListenerFactory.class, loader));
      if (extension.backends().isEmpty()
          && extension.actions().isEmpty()
          && extension.listeners().isEmpty()) {
        throw new InvalidExtensionException(
            "brings nothing; put a file into its META-INF/services, named "
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
      throw new InvalidExtensionException("may not be read by this process; give it the right to");
    }
    File file = jar.toFile();
    try {
      // Not verified: the operator has named it, and nothing here asks who signed it.
      return new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version());
    } catch (ZipException e) {
      throw new InvalidExtensionException("is not a jar; name one");
    } catch (IOException e) {
      throw new InvalidExtensionException(
          "can't be read: " + e.getClass().getSimpleName() + "; name a jar");
    }
  }

  private static <T> List<T> made(Class<T> service, ClassLoader loader)
      throws InvalidExtensionException {
    try {
      return ServiceLoader.load(service, loader).stream().map(ServiceLoader.Provider::get).toList();
    } catch (Throwable e) { // Somebody else's code: whatever it throws, this jar can't be used.
      throw new InvalidExtensionException(
          "can't be used, since its "
              + service.getSimpleName()
              + " could not be made: "
              + reason(e)
              + "; mend it, or leave it out");
    }
  }

  private static <T> Map<String, T> named(List<T> services, Function<T, String> name)
      throws InvalidExtensionException {
    Map<String, T> named = new HashMap<>();
    for (T service : services) {
      String given;
      try {
        given = name.apply(service);
      } catch (Throwable e) { // Somebody else's code, as above.
        throw new InvalidExtensionException(
            "can't be used, since "
                + service.getClass().getName()
                + " does not tell its name: "
                + reason(e)
                + "; mend it, or leave it out");
      }
      if (given == null || !given.matches("[A-Za-z0-9._-]+")) {
        throw new InvalidExtensionException(
            "can't be used, since "
                + service.getClass().getName()
                + " has no name of letters, digits, '.', '_' and '-'; give it one");
      }
      if (named.putIfAbsent(given, service) != null) {
        throw new InvalidExtensionException("brings '" + given + "' twice; leave one of them out");
      }
    }
    return named;
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
      // It is refused anyway.
    }
  }

  /**
   * Loads from one extension's jar. Reads the jar itself, and not by the JVM's handler for such
   * addresses, which the application may have replaced.
   */
  static final class ExtensionClassLoader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    /** The operator has named the jar; a security manager knows only of the application. */
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
        return new URL(null, "jar:" + file.toURI() + "!/" + name, new EntryHandler(jar, entry));
      } catch (MalformedURLException e) {
        throw new IllegalStateException("The place of the extension makes no URL: " + file, e);
      }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      URL found = findResource(name);
      return Collections.enumeration(found == null ? List.of() : List.of(found));
    }

    /** Opens one entry of the jar. */
    private static final class EntryHandler extends URLStreamHandler {
      private final JarFile jar;
      private final ZipEntry entry;

      EntryHandler(JarFile jar, ZipEntry entry) {
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
   * A jar can't be an extension. The message is a part of a sentence: why, and what would be right.
   */
  public static final class InvalidExtensionException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidExtensionException(String why) {
      super(why);
    }

    /** Why. */
    public String why() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * What an extension sees besides its own jar: the JDK, and of this agent the types that {@code
   * docs/extensions.md} names. A library of the engine's would else stand in for another version
   * that the extension brings.
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

    /** What listeners are told in, of a package that is not published. */
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
        // The launcher is on the bootstrap loader, where the platform's would find it.
        throw notFound(name);
      }
      return super.loadClass(name, resolve);
    }

    /** Says why, where that may surprise the extension's author. */
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
