package io.portcullis.backend.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.backend.redis.HintSubscriber.ChannelMessage;
import io.portcullis.backend.redis.ServerStartDelay.ServerAge;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreClockCheck;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The arguments and the reply of the script that decides every request inside Redis. */
final class LeaseScript {
  static final String TEXT = read();
  static final String SHA = sha1(TEXT);

  private static final int REPLY_PARTS = 13;
  private static final int SERVER_INFO_INDEX = 9;
  private static final int CLOCK_INDEX = 10;
  private static final int LIVED_INDEX = 11;
  private static final int DELAY_INDEX = 12;

  private LeaseScript() {}

  private static String read() {
    try (InputStream in = LeaseScript.class.getResourceAsStream("lease.lua")) {
      return new String(Objects.requireNonNull(in, "lease.lua").readAllBytes(), UTF_8)
          .replace("@MAX_EPOCH@", Long.toString(EpochRange.MAX_EPOCH))
          .replace("@MAX_LEAD@", Long.toString(EpochRange.MAX_LEAD));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  /**
   * The script's arguments.
   *
   * @param longestLease the configured longest lease; a claim may carry a longer one
   * @param plan whether an empty server counts as new, and the channel for releases
   * @param connection the connection that will send it
   */
  static String[] arguments(
      LeaseRequest request,
      String node,
      Duration longestLease,
      RedisStorePlan plan,
      RedisConnection connection) {
    CommonArguments common = new CommonArguments(plan.newServer(), connection);
    List<String> arguments = new ArrayList<>();
    if (request instanceof LeaseRequest.Acquire acquire) {
      Claim claim = acquire.claim();
      addCommon(arguments, "acquire", claim.node(), claim.longestLease(), common);
      addClaim(arguments, claim);
    } else if (request instanceof LeaseRequest.Renew renew) {
      addCommon(arguments, "renew", renew.node(), longestLease, common);
      arguments.add(Long.toString(renew.epoch()));
      arguments.add(millis(renew.lease()));
      arguments.add(text(renew.address()));
    } else if (request instanceof LeaseRequest.Release release) {
      addCommon(arguments, "release", release.node(), longestLease, common);
      arguments.add(Long.toString(release.epoch()));
      arguments.add(text(release.incarnation()));
      arguments.add(plan.keys().channel());
      arguments.add(ChannelMessage.released(release.node(), release.successor()));
    } else {
      addCommon(arguments, "look", node, longestLease, common);
    }
    return arguments.toArray(new String[0]);
  }

  private record CommonArguments(boolean newServer, RedisConnection connection) {}

  private static void addCommon(
      List<String> arguments,
      String request,
      String node,
      Duration longestLease,
      CommonArguments common) {
    arguments.add(request);
    arguments.add(node);
    arguments.add(UUID.randomUUID().toString());
    arguments.add(common.connection().id());
    arguments.add(Long.toString(common.connection().ageMillis()));
    arguments.add(millis(longestLease));
    arguments.add(flag(common.newServer()));
  }

  private static void addClaim(List<String> arguments, Claim claim) {
    RecordVersion waitedOut = claim.waitedOut();
    arguments.add(millis(claim.lease()));
    arguments.add(text(claim.address()));
    arguments.add(Long.toString(claim.highestEpoch()));
    arguments.add(text(claim.trustedIncarnation()));
    arguments.add(flag(claim.trustsEmptyStore()));
    arguments.add(flag(waitedOut != null));
    arguments.add(waitedOut == null ? "" : waitedOut.incarnation());
    arguments.add(waitedOut == null ? "" : waitedOut.holder());
    arguments.add(waitedOut == null ? "" : Long.toString(waitedOut.epoch()));
    arguments.add(waitedOut == null ? "" : waitedOut.version());
  }

  private static String flag(boolean value) {
    return value ? "1" : "0";
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** Rounds up, because a lease must not end early in the store. */
  private static String millis(Duration length) {
    return Long.toString(length.plusNanos(999_999).toMillis());
  }

  /**
   * The response in the script's reply, corrected for steps of the server's clock; unknown if the
   * reply is invalid.
   *
   * @param clockCheck compares the server's clock with this node's
   * @param sentNanos a moment before the request was sent
   * @param arrivedNanos a moment after the reply arrived
   */
  static LeaseResponse response(
      List<?> reply, StoreClockCheck clockCheck, long sentNanos, long arrivedNanos) {
    try {
      LeaseResponse response = read(reply);
      return clockCheck.checked(
          response, Long.parseLong(part(reply, CLOCK_INDEX)), sentNanos, arrivedNanos);
    } catch (IllegalArgumentException | ClassCastException e) {
      return new Unknown("the record in Redis is invalid: " + e.getMessage());
    }
  }

  private static LeaseResponse read(List<?> reply) {
    if (reply.size() != REPLY_PARTS) {
      throw new IllegalArgumentException(
          "it has " + reply.size() + " parts instead of " + REPLY_PARTS);
    }
    String incarnation = part(reply, 1);
    long epoch = Long.parseLong(part(reply, 3));
    if (part(reply, 0).equals("granted")) {
      return new Granted(epoch, incarnation);
    }
    RecordVersion version = new RecordVersion(incarnation, part(reply, 2), epoch, part(reply, 8));
    String address = part(reply, 7);
    return new HeldByOther(
        new LeaseRecord(
            version,
            address.isEmpty() ? null : address,
            Duration.ofMillis(Long.parseLong(part(reply, 4))),
            Duration.ofMillis(Long.parseLong(part(reply, 5))),
            part(reply, 6).equals("1")));
  }

  /** Whether the server reported its run_id and uptime. */
  static boolean hasServerInfo(List<?> reply) {
    return reply.size() == REPLY_PARTS && "1".equals(reply.get(SERVER_INFO_INDEX));
  }

  /** How long the server has run, and still grants nothing; null if the reply is invalid. */
  static @Nullable ServerAge serverAge(List<?> reply) {
    try {
      return new ServerAge(
          hasServerInfo(reply),
          Long.parseLong(part(reply, LIVED_INDEX)),
          Long.parseLong(part(reply, DELAY_INDEX)));
    } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static String part(List<?> reply, int index) {
    return (String) reply.get(index);
  }

  /**
   * The two keys and the channel of one election in Redis, all in one slot of a cluster.
   *
   * @param lease holds {@code identity:epoch} and expires with the lease
   * @param record the hash that keeps the epochs and never expires
   * @param channel carries releases and priority requests
   */
  record LeaseKeys(String lease, String record, String channel) {

    static LeaseKeys of(String key) {
      String record = hasHashTag(key) ? key + ":lease" : "{" + key + "}:lease";
      return new LeaseKeys(key, record, record + ":events");
    }

    /**
     * A cluster hashes the text between the first opening brace and the next closing one, if any.
     */
    static boolean hasHashTag(String key) {
      int open = key.indexOf('{');
      return open >= 0 && key.indexOf('}', open) > open + 1;
    }

    /** False if the record would be in another slot: the key has braces that are not a hash tag. */
    static boolean sharesASlot(String key) {
      return hasHashTag(key) || (key.indexOf('{') < 0 && key.indexOf('}') < 0);
    }
  }
}
