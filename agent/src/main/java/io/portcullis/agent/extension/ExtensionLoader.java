package io.portcullis.agent.extension;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
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
 * Loads from one extension's jar. Reads the jar itself, and not by the JVM's handler for such
 * addresses, which the application may have replaced.
 */
final class ExtensionLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** The operator has named the jar; a security manager knows only of the application. */
  private static final ProtectionDomain TRUSTED = trusted();

  private final JarFile jar;
  private final File file;

  ExtensionLoader(JarFile jar, File file, ClassLoader parent) {
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
