package com.acme.shop;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Periodic maintenance jobs. */
@Component
class Housekeeping {
  private final AtomicInteger sweeps = new AtomicInteger();
  private final AtomicInteger dustings = new AtomicInteger();

  @Scheduled(fixedRateString = "${shop.jobs.rate}")
  void sweep() {
    sweeps.incrementAndGet();
  }

  @EveryTick
  void dust() {
    dustings.incrementAndGet();
  }

  Map<String, Integer> runs() {
    return Map.of("sweep", sweeps.get(), "dust", dustings.get());
  }
}
