package com.acme.app;

import java.io.IOException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/** A workshop in a JVM where no URL of a jar can be opened. */
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
