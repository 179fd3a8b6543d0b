package com.acme.ledger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** HTTP server with a limited number of threads and a graceful shutdown. */
final class LedgerServer {
  private static final int THREADS = 16;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final Semaphore running = new Semaphore(THREADS);
  private volatile boolean stopping;

  LedgerServer(InetSocketAddress address, HttpHandler api) throws IOException {
    // Otherwise a response on a kept-alive connection waits for the client's delayed TCP ACK.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    this.server = HttpServer.create(address, 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> serve(exchange, api));
  }

  void start() {
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Refuses new requests and waits up to {@code grace} for running ones. */
  void stop(Duration grace) throws InterruptedException {
    stopping = true;
    running.tryAcquire(THREADS, grace.toMillis(), TimeUnit.MILLISECONDS);
    server.stop(0);
    threads.shutdown();
  }

  private void serve(HttpExchange exchange, HttpHandler api) throws IOException {
    try (exchange) {
      if (stopping || !running.tryAcquire()) {
        exchange.getResponseHeaders().set("Connection", "close");
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      try {
        api.handle(exchange);
      } finally {
        running.release();
      }
    }
  }
}
