package com.acme.shop;

import java.util.List;

/** Stores the orders. */
public interface OrderStore {
  /** Saves an order and returns its number. */
  long save(String item);

  List<Order> all();
}
