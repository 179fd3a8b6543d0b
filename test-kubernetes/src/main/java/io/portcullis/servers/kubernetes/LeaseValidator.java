package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;

/** Validates and normalizes a Lease like a real server. */
final class LeaseValidator {
  private static final List<String> TEXTS =
      List.of("holderIdentity", "strategy", "preferredHolder");
  private static final List<String> NUMBERS = List.of("leaseDurationSeconds", "leaseTransitions");
  private static final List<String> TIMES = List.of("acquireTime", "renewTime");

  /** A real server accepts exactly six fractional digits. */
  private static final Pattern MICRO_TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");

  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private LeaseValidator() {}

  /** Normalizes a Lease for storage: unknown fields are dropped, times are in UTC. */
  static void apply(ResourcePath route, ObjectNode lease) throws ApiErrorException {
    JsonNode given = lease.path("spec");
    ObjectNode spec = lease.putObject("spec");
    if (!given.isObject() && !given.isMissingNode() && !given.isNull()) {
      throw undecodable("spec", given, "LeaseSpec");
    }
    for (String field : TEXTS) {
      if (given.hasNonNull(field)) {
        spec.put(field, text(field, given.get(field)));
      }
    }
    for (String field : NUMBERS) {
      if (given.hasNonNull(field)) {
        spec.put(field, number(field, given.get(field)));
      }
    }
    for (String field : TIMES) {
      if (given.hasNonNull(field)) {
        spec.put(field, time(text(field, given.get(field))));
      }
    }
    check(route, spec);
  }

  private static void check(ResourcePath route, ObjectNode spec) throws ApiErrorException {
    JsonNode duration = spec.path("leaseDurationSeconds");
    if (duration.isInt() && duration.asInt() <= 0) {
      throw wrong(route, "leaseDurationSeconds", duration, "must be greater than 0");
    }
    JsonNode transitions = spec.path("leaseTransitions");
    if (transitions.isInt() && transitions.asInt() < 0) {
      throw wrong(route, "leaseTransitions", transitions, "must be greater than or equal to 0");
    }
  }

  private static ApiErrorException wrong(
      ResourcePath route, String field, JsonNode value, String why) {
    return ApiErrorException.invalid(
        route, "spec." + field + ": Invalid value: " + value + ": " + why);
  }

  private static String text(String field, JsonNode value) throws ApiErrorException {
    if (!value.isTextual()) {
      throw undecodable(field, value, "string");
    }
    return value.asText();
  }

  private static int number(String field, JsonNode value) throws ApiErrorException {
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw undecodable(field, value, "int32");
    }
    return value.asInt();
  }

  private static String time(String text) throws ApiErrorException {
    if (!MICRO_TIME.matcher(text).matches()) {
      throw ApiErrorException.badRequest(
          "Lease in version \"v1\" cannot be handled: no time: " + text);
    }
    try {
      return WRITTEN.format(OffsetDateTime.parse(text));
    } catch (DateTimeException e) {
      throw ApiErrorException.badRequest(
          "Lease in version \"v1\" cannot be handled: " + e.getMessage());
    }
  }

  private static ApiErrorException undecodable(String field, JsonNode value, String type) {
    return ApiErrorException.badRequest(
        "Lease in version \"v1\" cannot be handled as a Lease: "
            + value
            + " in field "
            + field
            + " is no "
            + type);
  }
}
