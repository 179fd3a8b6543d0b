package com.acme.others;

import java.security.CodeSource;

/** The origin of a class. */
final class Origin {
  private Origin() {}

  /** Its file and its loader. */
  static String of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    String file = source == null ? "/(none)" : source.getLocation().getPath();
    return file.substring(file.lastIndexOf('/') + 1) + " " + type.getClassLoader().getClass().getName();
  }
}
