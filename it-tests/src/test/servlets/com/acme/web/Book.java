package com.acme.web;

/** Data that only one node may write to. */
final class Book {
  private Book() {}

  static String write() {
    return "written";
  }
}
