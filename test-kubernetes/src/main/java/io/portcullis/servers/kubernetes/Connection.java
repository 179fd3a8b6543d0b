package io.portcullis.servers.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One client's connection: its requests one after the other, each with the fault that fits. */
final class Connection {
  private static final Duration DRIP = Duration.ofMillis(50);
  private static final String FLOOD = " ".repeat(64 * 1024);

  private final ApiServer server;
  private final HttpWire wire;
  private volatile Optional<Watch> watch = Optional.empty();

  Connection(ApiServer server, Socket socket) throws IOException {
    this.server = server;
    this.wire = new HttpWire(socket);
  }

  /** Serves until the connection ends. */
  void serve() {
    try (wire) {
      for (Call call = wire.read(); call != null; call = wire.read()) {
        if (!answer(call) || call.isLastOfItsConnection()) {
          return;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return; // It speaks no HTTP, or the client, or the test, has closed it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.gone(this);
    }
  }

  void endWatch() {
    watch.ifPresent(Watch::end);
  }

  void close() {
    try {
      wire.close();
    } catch (IOException e) {
      return; // It is gone either way.
    }
  }

  /** Answers one request; false if nothing more may follow on this connection. */
  private boolean answer(Call call) throws IOException, InterruptedException {
    Optional<Route> route = Route.of(call.path());
    ReceivedRequest asked =
        new ReceivedRequest(
            Instant.now(),
            call.verb(route),
            call.target(),
            route.map(Route::name).orElse(""),
            call.header("user-agent"),
            call.token(),
            call.body());
    Faults faults = server.faults();
    long heals = faults.heals();
    boolean byTheTest = server.isOfTheTest(asked.token());
    Fault fault = Fault.NONE;
    if (!byTheTest) {
      server.remember(asked);
      fault = faults.next(asked);
    }
    if (fault.heldBack()) {
      faults.awaitHealed(heals);
    }
    if (asked.verb() == Verb.WATCH && fault.instead() == null && fault.end() == Fault.End.SENT) {
      faults.awaitHealed(heals, fault.delay());
      follow(call);
      return false;
    }
    Rights rights = (verb, object) -> !byTheTest && forbids(asked, verb, object);
    Reply reply = reply(call, route, asked.verb(), fault, rights);
    faults.awaitHealed(heals, fault.delay());
    if (fault.end() == Fault.End.SWALLOWED) {
      faults.awaitHealed(heals);
    }
    if (fault.end() == Fault.End.SENT) {
      wire.write(reply);
    }
    if (fault.end() == Fault.End.DRIPPED || fault.end() == Fault.End.FLOODED) {
      goOnUntilHealed(heals, fault.end());
    }
    return fault.end() == Fault.End.SENT;
  }

  /** Ends sooner only if the client closes the connection. */
  private void goOnUntilHealed(long heals, Fault.End how) throws IOException, InterruptedException {
    Faults faults = server.faults();
    boolean drips = how == Fault.End.DRIPPED;
    wire.beginEndless();
    while (faults.heals() == heals && !faults.haveEnded()) {
      wire.sendChunk(drips ? " " : FLOOD);
      faults.awaitHealed(heals, drips ? DRIP : Duration.ZERO);
    }
  }

  private Reply reply(Call call, Optional<Route> route, Verb verb, Fault fault, Rights rights) {
    Fault.Answer instead = fault.instead();
    if (instead == null) {
      return server.api().carryOut(call, rights);
    }
    if (fault.onlyReads()) {
      return server.api().carryOut(new Call("GET", call.target(), call.headers(), ""), rights);
    }
    ApiErrorException refusal =
        fault.forbids() && route.isPresent()
            ? ApiErrorException.forbidden(route.get(), verb)
            : ApiErrorException.ofCode(instead.code());
    return Reply.refused(refusal).with(instead);
  }

  private boolean forbids(ReceivedRequest asked, Verb verb, String object) {
    return server.faults().forbids(which -> which.include(asked.as(verb, object)));
  }

  private void follow(Call call) throws IOException, InterruptedException {
    EventStream stream =
        call.wantsWebSocket()
            ? new WebSocketStream(wire, call.header("sec-websocket-key"))
            : new ChunkedStream(wire);
    try {
      Watch started = new Watch(server.store(), server.faults(), stream, call);
      watch = Optional.of(started);
      started.run();
    } catch (NumberFormatException e) {
      wire.write(Reply.refused(ApiErrorException.badRequest("invalid resource version or time")));
    }
  }
}
