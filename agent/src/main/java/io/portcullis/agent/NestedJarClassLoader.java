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
 * Loads classes and resources from one folder inside the agent's jar. The class files there end in
 * {@code .classdata}, so that class path scanners do not mistake them for application classes.
 */
final class NestedJarClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** Has all permissions: a security manager that trusts only the application must not block it. */
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

  /** Maps a resource name to its entry; {@code .class} becomes {@code .classdata}. */
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
      // Read into an array of the final size; this saves a buffer of several kilobytes per class.
      byte[] bytes = new byte[Math.toIntExact(entry.getSize())];
      int read = in.readNBytes(bytes, 0, bytes.length);
      return defineClass(name, bytes, 0, read, TRUSTED);
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " can't be read from the agent's jar", e);
    }
  }

  /**
   * Uses its own URL handler instead of the JVM's handler for jars: the application may have
   * replaced that with one that cannot read this jar.
   */
  @Override
  protected @Nullable URL findResource(String name) {
    ZipEntry entry = jar.getEntry(entryName(name));
    if (entry == null) {
      return null;
    }
    try {
      return new URL(null, "jar:" + file + "!/" + entry.getName(), new NestedEntryHandler(jar, entry));
    } catch (MalformedURLException e) {
      throw new IllegalStateException("The path of the agent's jar is not a valid URL: " + file, e);
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return Collections.enumeration(found == null ? List.of() : List.of(found));
  }

  /** Opens one entry of the jar. */
  private static final class NestedEntryHandler extends URLStreamHandler {
    private final JarFile jar;
    private final ZipEntry entry;

    NestedEntryHandler(JarFile jar, ZipEntry entry) {
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
