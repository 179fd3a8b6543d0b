package com.acme.ledger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledger over HTTP: {@code POST /transfers}, {@code GET /transfers}, {@code GET /}. */
final class LedgerApi implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerApi.class);
  private static final int MAX_BODY_BYTES = 64 * 1024;

  private final Ledger ledger;

  LedgerApi(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      route(exchange);
    } catch (BadRequestException e) {
      refuse(exchange, e.status(), e.getMessage());
    } catch (IllegalStateException e) { // The ledger accepts no transfers now; retry later.
      exchange.getResponseHeaders().set("Retry-After", "1");
      refuse(exchange, 503, e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
      refuse(exchange, 500, "the ledger failed; the transfer may or may not be stored");
    }
  }

  private void route(HttpExchange exchange) throws IOException, BadRequestException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    if (path.equals("/transfers") && method.equals("POST")) {
      post(exchange);
    } else if (path.equals("/transfers") && method.equals("GET")) {
      sendJson(exchange, 200, list(TransferQuery.parse(exchange.getRequestURI().getRawQuery())));
    } else if (path.equals("/") && method.equals("GET")) {
      String text = "ledger\nwriter: " + ledger.writer() + "\ncount: " + ledger.count() + "\n";
      send(exchange, 200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    } else if (path.equals("/transfers") || path.equals("/")) {
      String allowed = path.equals("/") ? "GET" : "GET, POST";
      exchange.getResponseHeaders().set("Allow", allowed);
      throw new BadRequestException(405, method + " is not allowed here; use " + allowed);
    } else {
      throw new BadRequestException(404, "there is nothing at " + path + "; try / or /transfers");
    }
  }

  private void post(HttpExchange exchange) throws IOException, BadRequestException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      throw new BadRequestException(413, "the body is larger than " + MAX_BODY_BYTES + " bytes");
    }
    TransferRequest draft = TransferRequest.parse(body);
    Transfer stored = ledger.append(draft.id(), draft.from(), draft.to(), draft.amount());
    sendJson(exchange, 201, stored);
  }

  private List<Transfer> list(TransferQuery query) {
    return query.after() < 0
        ? ledger.newest(query.limit())
        : ledger.after(query.after(), query.limit());
  }

  private static void refuse(HttpExchange exchange, int status, String reason) throws IOException {
    sendJson(exchange, status, Map.of("error", String.valueOf(reason)));
  }

  private static void sendJson(HttpExchange exchange, int status, Object body) throws IOException {
    send(exchange, status, "application/json", LedgerJson.MAPPER.writeValueAsBytes(body));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
