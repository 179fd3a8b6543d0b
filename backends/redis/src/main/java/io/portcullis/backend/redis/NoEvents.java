package io.portcullis.backend.redis;

import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import reactor.core.publisher.Flux;

/** Nobody listens to the client's events, so the means to hand them out are not loaded. */
final class NoEvents implements EventBus {
  @Override
  public Flux<Event> get() {
    return Flux.empty();
  }

  @Override
  public void publish(Event event) {}
}
