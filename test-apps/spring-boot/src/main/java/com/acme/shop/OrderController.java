package com.acme.shop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The HTTP endpoints of the shop. */
@RestController
class OrderController {
  private final OrderDesk desk;
  private final Housekeeping housekeeping;

  OrderController(OrderDesk desk, Housekeeping housekeeping) {
    this.desk = desk;
    this.housekeeping = housekeeping;
  }

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  Order order(@RequestParam("item") String item) {
    return desk.take(item);
  }

  /** Like the method above, but asynchronous: it keeps no server thread waiting. */
  @PostMapping("/orders/later")
  CompletableFuture<Order> orderLater(@RequestParam("item") String item) {
    return CompletableFuture.supplyAsync(() -> desk.take(item));
  }

  @GetMapping("/orders")
  List<Order> orders() {
    return desk.all();
  }

  /** Number of runs of each job. */
  @GetMapping("/jobs")
  Map<String, Integer> jobs() {
    return housekeeping.runs();
  }
}
