package io.portcullis.fencing.weave;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** Names of classes by their loaders, as long as those live. Any thread may ask. */
final class ClassNames {
  private final Map<@Nullable ClassLoader, Set<String>> names = new WeakHashMap<>();

  synchronized void add(@Nullable ClassLoader loader, String name) {
    names.computeIfAbsent(loader, any -> new HashSet<>()).add(name);
  }

  synchronized boolean has(@Nullable ClassLoader loader, String name) {
    return names.getOrDefault(loader, Set.of()).contains(name);
  }
}
