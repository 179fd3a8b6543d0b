package com.acme.app;

import java.io.IOException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/** A workshop in a JVM that cannot open jar URLs. */
public final class UnopenableJarService {
  private UnopenableJarService() {}

  public static void main(String[] args) throws InterruptedException {
    URL.setURLStreamHandlerFactory(protocol -> protocol.equals("jar") ? new Refusing() : null);
    Workshop.main(args);
  }

  private static final class Refusing extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      throw new IOException("no jar is opened here: " + url);
    }
  }
}
