package io.portcullis.servers.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Serves one client connection: its requests in order, each with the matching fault. */
final class ConnectionHandler {
  private static final Duration DRIP_INTERVAL = Duration.ofMillis(50);
  private static final String FLOOD = " ".repeat(64 * 1024);

  private final ApiServer server;
  private final Http1Connection wire;
  private volatile Optional<WatchSession> watch = Optional.empty();

  ConnectionHandler(ApiServer server, Socket socket) throws IOException {
    this.server = server;
    this.wire = new Http1Connection(socket);
  }

  /** Serves until the connection ends. */
  void serve() {
    try (wire) {
      for (ServerRequest call = wire.read(); call != null; call = wire.read()) {
        if (!answer(call) || call.isLastOfItsConnection()) {
          return;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return; // It is not HTTP, or the client, or the test, has closed it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.removeConnection(this);
    }
  }

  void endWatch() {
    watch.ifPresent(WatchSession::end);
  }

  void close() {
    try {
      wire.close();
    } catch (IOException e) {
      return; // It is closed either way.
    }
  }

  /** Responds to one request; false if no other may follow on this connection. */
  private boolean answer(ServerRequest call) throws IOException, InterruptedException {
    Optional<ResourcePath> route = ResourcePath.of(call.path());
    RequestLogEntry asked =
        new RequestLogEntry(
            Instant.now(),
            call.verb(route),
            call.target(),
            route.map(ResourcePath::name).orElse(""),
            call.header("user-agent"),
            call.token(),
            call.body());
    ApiFaultInjector faults = server.faults();
    long heals = faults.heals();
    boolean byTheTest = server.isOfTheTest(asked.token());
    Fault fault = Fault.NONE;
    if (!byTheTest) {
      server.logRequest(asked);
      fault = faults.next(asked);
    }
    if (fault.heldBack()) {
      faults.awaitHealed(heals);
    }
    if (asked.verb() == Verb.WATCH
        && fault.instead() == null
        && fault.end() == Fault.ReplyOutcome.SENT) {
      faults.awaitHealed(heals, fault.delay());
      serveWatch(call);
      return false;
    }
    AccessPolicy rights = (verb, object) -> !byTheTest && forbids(asked, verb, object);
    ServerResponse reply = reply(call, route, asked.verb(), fault, rights);
    faults.awaitHealed(heals, fault.delay());
    if (fault.end() == Fault.ReplyOutcome.SWALLOWED) {
      faults.awaitHealed(heals);
    }
    if (fault.end() == Fault.ReplyOutcome.SENT) {
      wire.write(reply);
    }
    if (fault.end() == Fault.ReplyOutcome.DRIPPED || fault.end() == Fault.ReplyOutcome.FLOODED) {
      streamUntilHealed(heals, fault.end());
    }
    return fault.end() == Fault.ReplyOutcome.SENT;
  }

  /**
   * Sends an endless response until the faults end; earlier only if the client closes the
   * connection.
   */
  private void streamUntilHealed(long heals, Fault.ReplyOutcome how)
      throws IOException, InterruptedException {
    ApiFaultInjector faults = server.faults();
    boolean drips = how == Fault.ReplyOutcome.DRIPPED;
    wire.beginEndless();
    while (faults.heals() == heals && !faults.haveEnded()) {
      wire.sendChunk(drips ? " " : FLOOD);
      faults.awaitHealed(heals, drips ? DRIP_INTERVAL : Duration.ZERO);
    }
  }

  private ServerResponse reply(
      ServerRequest call,
      Optional<ResourcePath> route,
      Verb verb,
      Fault fault,
      AccessPolicy rights) {
    Fault.SubstituteResponse instead = fault.instead();
    if (instead == null) {
      return server.api().handle(call, rights);
    }
    if (fault.onlyReads()) {
      return server
          .api()
          .handle(new ServerRequest("GET", call.target(), call.headers(), ""), rights);
    }
    ApiErrorException refusal =
        fault.forbids() && route.isPresent()
            ? ApiErrorException.forbidden(route.get(), verb)
            : ApiErrorException.ofCode(instead.code());
    return ServerResponse.refused(refusal).with(instead);
  }

  private boolean forbids(RequestLogEntry asked, Verb verb, String object) {
    return server.faults().forbids(which -> which.include(asked.as(verb, object)));
  }

  private void serveWatch(ServerRequest call) throws IOException, InterruptedException {
    EventStream stream =
        call.wantsWebSocket()
            ? new WebSocketStream(wire, call.header("sec-websocket-key"))
            : new ChunkedStream(wire);
    try {
      WatchSession started = new WatchSession(server.store(), server.faults(), stream, call);
      watch = Optional.of(started);
      started.run();
    } catch (NumberFormatException e) {
      wire.write(
          ServerResponse.refused(ApiErrorException.badRequest("invalid resource version or time")));
    }
  }
}
