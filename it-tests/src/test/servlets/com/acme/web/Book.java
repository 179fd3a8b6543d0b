package com.acme.web;

import java.util.concurrent.atomic.AtomicInteger;

/** Data that only one node may write to. */
final class Book {
  private static final AtomicInteger WRITES = new AtomicInteger();

  private Book() {}

  static int writes() {
    return WRITES.get();
  }

  static String write() {
    WRITES.incrementAndGet();
    return "written";
  }
}
