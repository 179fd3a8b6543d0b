package com.acme.web;

/** What only one node may write to. */
final class Book {
  private Book() {}

  static String write() {
    return "written";
  }
}
