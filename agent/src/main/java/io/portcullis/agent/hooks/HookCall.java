package io.portcullis.agent.hooks;

import io.portcullis.agent.config.HookMethod;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One call of one hook, on the thread that was made for it. */
final class HookCall implements Runnable {
  private static final Map<String, Class<?>> TYPES =
      Map.of("java.lang.String", String.class, "long", long.class);

  private final ApplicationClasses classes;
  private final HookMethod hook;
  private final List<Object> facts;
  private volatile @Nullable Throwable failure;

  /**
   * A call of {@code hook}.
   *
   * @param facts what it may be told; it is given as many as it takes
   */
  HookCall(ApplicationClasses classes, HookMethod hook, List<Object> facts) {
    this.classes = classes;
    this.hook = hook;
    this.facts = List.copyOf(facts);
  }

  @Override
  public void run() {
    try {
      Class<?> type = classes.find(hook.type());
      Thread.currentThread().setContextClassLoader(type.getClassLoader());
      method(type).invoke(null, facts.subList(0, hook.parameters().size()).toArray());
    } catch (InvocationTargetException e) {
      failure = e.getCause();
    } catch (Throwable e) { // Somebody else's code, and its loading: whatever it is ends this call.
      failure = e;
    }
  }

  /** What went wrong, null if nothing did; told once the thread has ended. */
  @Nullable Throwable failure() {
    return failure;
  }

  private Method method(Class<?> type) throws HookNotFoundException {
    Class<?>[] parameters = hook.parameters().stream().map(TYPES::get).toArray(Class<?>[]::new);
    Method method;
    try {
      method = type.getDeclaredMethod(hook.name(), parameters);
    } catch (NoSuchMethodException e) {
      throw new HookNotFoundException(
          "the class " + type.getName() + " has no such method" + others(type));
    }
    if (!Modifier.isStatic(method.getModifiers())) {
      throw new HookNotFoundException(
          "the method is not static, and there is no object to call it on");
    }
    try {
      method.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      throw new HookNotFoundException(
          "its module does not let it be called: make class and method public and export the"
              + " package, or open it");
    }
    return method;
  }

  private String others(Class<?> type) {
    String same =
        Stream.of(type.getDeclaredMethods())
            .filter(method -> method.getName().equals(hook.name()))
            .map(
                method ->
                    Arrays.stream(method.getParameterTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(",", "(", ")")))
            .sorted()
            .collect(Collectors.joining(", "));
    return same.isEmpty() ? "; check its name" : "; by that name it has " + same;
  }
}
