package com.acme.shop;

/** What somebody wants to have. */
public record Order(long id, String item) {}
