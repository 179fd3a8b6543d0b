package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The fields of a Lease that client-go knows. Its times have a precision of one second. */
record ClientGoRecord(
    String holder,
    int seconds,
    @Nullable Instant acquired,
    @Nullable Instant renewed,
    int transitions) {

  static ClientGoRecord in(ObjectNode lease) {
    ObjectNode spec = lease.withObject("/spec");
    return new ClientGoRecord(
        spec.path("holderIdentity").asText(""),
        spec.path("leaseDurationSeconds").asInt(),
        time(spec, "acquireTime"),
        time(spec, "renewTime"),
        spec.path("leaseTransitions").asInt());
  }

  private static @Nullable Instant time(ObjectNode spec, String field) {
    String text = spec.path(field).asText("");
    return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
  }

  boolean looksLike(ClientGoRecord other) {
    return bySecond().equals(other.bySecond());
  }

  private ClientGoRecord bySecond() {
    return new ClientGoRecord(holder, seconds, second(acquired), second(renewed), transitions);
  }

  private static @Nullable Instant second(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Writes the record; other fields are lost, since client-go does not know them. */
  ObjectNode into(ObjectNode spec) {
    spec.removeAll();
    spec.put("holderIdentity", holder).put("leaseDurationSeconds", seconds);
    spec.put("acquireTime", text(acquired)).put("renewTime", text(renewed));
    return spec.put("leaseTransitions", transitions);
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : LeaseEdits.MICRO_TIME.format(time);
  }
}
