package com.acme.osgi;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** A service that embeds the OSGi framework on its class path and starts one bundle. */
public final class OsgiHost {
  private OsgiHost() {}

  /** Arguments: the bundle, a folder for the framework, and optionally a boot delegation list. */
  public static void main(String[] args) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put(Constants.FRAMEWORK_STORAGE, args[1]);
    if (args.length > 2) {
      settings.put(Constants.FRAMEWORK_BOOTDELEGATION, args[2]);
    }
    FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).iterator().next();
    Framework framework = factory.newFramework(settings);
    framework.start();
    framework.getBundleContext().installBundle(Path.of(args[0]).toUri().toString()).start();
    System.out.println("started: " + framework.getClass().getName());
    framework.waitForStop(0);
  }
}
