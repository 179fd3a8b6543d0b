package com.acme.shop;

import java.util.List;

/** Keeps the orders. */
public interface OrderStore {
  /** Returns its number. */
  long save(String item);

  List<Order> all();
}
