package com.acme.shop;

/** An order. */
public record Order(long id, String item) {}
