package io.portcullis.gate;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Main class of a forked JVM: calls a copy of {@link Leadership} that the application bundles. */
public final class BundledCopyMain {
  private BundledCopyMain() {}

  /** Prints what each method of the copy in a folder of classes returns. */
  public static void main(String[] arguments) throws Exception {
    Class<?> copy =
        new ChildFirstClassLoader(Path.of(arguments[0])).loadClass("io.portcullis.gate.Leadership");
    System.out.println("active: " + answer(copy, "active"));
    System.out.println("isLeader: " + answer(copy, "isLeader", "writer"));
    System.out.println("requireLeader: " + answer(copy, "requireLeader", "writer"));
  }

  private static String answer(Class<?> copy, String question, String... election)
      throws ReflectiveOperationException {
    try {
      return String.valueOf(
          election.length == 0
              ? copy.getMethod(question).invoke(null)
              : copy.getMethod(question, String.class).invoke(null, election[0]));
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    }
  }

  /** Loads like web containers: the application's own classes take precedence over its parent's. */
  private static final class ChildFirstClassLoader extends ClassLoader {
    private final Path classes;

    ChildFirstClassLoader(Path classes) {
      super(ClassLoader.getPlatformClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Path file = classes.resolve(name.replace('.', '/') + ".class");
      if (!Files.exists(file)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        byte[] classFile = Files.readAllBytes(file);
        return defineClass(name, classFile, 0, classFile.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
