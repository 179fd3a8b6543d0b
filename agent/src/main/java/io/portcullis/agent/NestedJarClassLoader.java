package io.portcullis.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.AllPermission;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads from one folder inside the agent's jar. The class files there end in {@code .classdata}, so
 * that nobody who searches the class path takes them for the application's.
 */
final class NestedJarClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** A security manager that trusts only the application must not keep the agent from its work. */
  private static final ProtectionDomain TRUSTED = trusted();

  private static final String CLASS = ".class";
  private static final String CLASS_DATA = ".classdata";

  private final JarFile jar;
  private final URI file;
  private final String folder;

  NestedJarClassLoader(String name, JarFile jar, URI file, String folder, ClassLoader parent) {
    super(name, parent);
    this.jar = jar;
    this.file = file;
    this.folder = folder;
  }

  private static ProtectionDomain trusted() {
    Permissions all = new Permissions();
    all.add(new AllPermission());
    return new ProtectionDomain(null, all);
  }

  /** Asked for a class file by its usual name, the one that is there is shown. */
  private String entryName(String resource) {
    return folder
        + (resource.endsWith(CLASS)
            ? resource.substring(0, resource.length() - CLASS.length()) + CLASS_DATA
            : resource);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ZipEntry entry = jar.getEntry(entryName(name.replace('.', '/') + CLASS));
    if (entry == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = jar.getInputStream(entry)) {
      // Into its place at once, which spares each class a buffer of several kilobytes.
      byte[] bytes = new byte[Math.toIntExact(entry.getSize())];
      int read = in.readNBytes(bytes, 0, bytes.length);
      return defineClass(name, bytes, 0, read, TRUSTED);
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " can't be read from the agent's jar", e);
    }
  }

  /**
   * With a handler of our own, and not by the JVM's for jars: the application may have replaced
   * that by one that does not read this jar.
   */
  @Override
  protected @Nullable URL findResource(String name) {
    ZipEntry entry = jar.getEntry(entryName(name));
    if (entry == null) {
      return null;
    }
    try {
      return new URL(null, "jar:" + file + "!/" + entry.getName(), new EntryHandler(jar, entry));
    } catch (MalformedURLException e) {
      throw new IllegalStateException("The place of the agent's jar makes no URL: " + file, e);
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
