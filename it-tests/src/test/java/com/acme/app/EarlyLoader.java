package com.acme.app;

import java.lang.instrument.Instrumentation;

/** An agent that loads a class of the application before any other agent sees it. */
public final class EarlyLoader {
  private EarlyLoader() {}

  public static void premain(String className, Instrumentation unused)
      throws ClassNotFoundException {
    Class<?> loaded = Class.forName(className);
    System.out.println("loaded before main: " + loaded.getName());
  }
}
