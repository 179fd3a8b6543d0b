package io.portcullis.rules;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A small agent for forked JVMs: like the real one, it keeps the weaver in its own class loader.
 */
public final class ForkedAgent {
  private ForkedAgent() {}

  @SuppressWarnings("unchecked")
  public static void premain(String argument, Instrumentation instrumentation) throws Exception {
    URLClassLoader engine =
        new URLClassLoader(
            urls(System.getProperty("engine.path")), ClassLoader.getPlatformClassLoader());
    ((BiConsumer<String, Instrumentation>)
            engine
                .loadClass("io.portcullis.rules.ForkedWeaverStart")
                .getDeclaredConstructor()
                .newInstance())
        .accept(argument, instrumentation);
  }

  private static URL[] urls(String path) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String element : path.split(File.pathSeparator, -1)) {
      urls.add(new File(element).toURI().toURL());
    }
    return urls.toArray(new URL[0]);
  }
}
