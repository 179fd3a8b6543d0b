package com.acme.shop;

import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Accepts orders, each in a transaction. Implements no interface, so that Spring subclasses it. */
@Service
public class OrderDesk {
  private final OrderStore store;

  public OrderDesk(OrderStore store) {
    this.store = store;
  }

  @Transactional
  public Order take(String item) {
    return new Order(store.save(item), item);
  }

  public List<Order> all() {
    return store.all();
  }
}
