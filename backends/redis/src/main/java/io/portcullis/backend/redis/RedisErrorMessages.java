package io.portcullis.backend.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.backend.redis.ReplyLimitHandler.InvalidReplyException;
import io.portcullis.election.store.EpochRangeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Error messages without secrets: what went wrong at which Redis, and what to do about it. */
final class RedisErrorMessages {
  /** Error replies after which the next request uses a new connection. */
  private static final List<String> RECONNECT_ERRORS =
      List.of("NOTMASTER", "READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "NOAUTH", "MOVED");

  private final RedisAccess access;
  private final LeaseKeys keys;
  private final Supplier<String> sentPassword;
  private final Map<String, String> messages;

  /**
   * @param sentPassword the password that was last sent to a server, empty if none was. It must not
   *     block, because messages are written on the thread that keeps the deadlines.
   */
  RedisErrorMessages(RedisAccess access, LeaseKeys keys, Supplier<String> sentPassword) {
    this.access = access;
    this.keys = keys;
    this.sentPassword = sentPassword;
    String user = access.user() == null ? "the default user" : "user " + access.user();
    String missingRight =
        user
            + " lacks an ACL rule that an election needs, for keys "
            + keys.lease()
            + " and "
            + keys.record()
            + "; docs/redis.md lists the rules";
    messages =
        Map.ofEntries(
            Map.entry("NOAUTH", "it requires a password; set redis.password-file"),
            Map.entry("WRONGPASS", "it refused " + user + ": wrong name or password"),
            Map.entry("invalid password", "it refused " + user + ": wrong password"),
            Map.entry("without any password configured", "it has no password, but one is set"),
            Map.entry("NOPERM", missingRight),
            Map.entry("can't run this command", missingRight),
            Map.entry("ACL failure", missingRight),
            Map.entry(
                "WRONGTYPE",
                "key "
                    + keys.lease()
                    + " must be a string and key "
                    + keys.record()
                    + " a hash; something else was stored there: delete it or set redis.key"),
            Map.entry("OOM", "it is out of memory: raise maxmemory, with policy noeviction"),
            Map.entry("MISCONF", "it can't save to disk and refuses writes: see its log"),
            Map.entry("NOREPLICAS", "it has fewer replicas than min-replicas-to-write requires"),
            Map.entry("NOTMASTER", "it is a replica; name the primary, or use redis-sentinel://"),
            Map.entry("READONLY", "it is a replica; name the primary, or use redis-sentinel://"),
            Map.entry("LOADING", "it is still loading its data"),
            Map.entry("MASTERDOWN", "it is a replica that has lost its primary"),
            Map.entry("CLUSTERDOWN", "its cluster does not serve the slot of " + keys.lease()),
            Map.entry("MOVED", "it is a member of a cluster; use redis-cluster://"),
            Map.entry("TRYAGAIN", "the slot of " + keys.lease() + " is being moved"),
            Map.entry("ASK ", "the slot of " + keys.lease() + " is being moved"),
            Map.entry("BUSY", "another client's script blocks it"),
            Map.entry("CROSSSLOT", "redis.key puts the record into another slot"),
            Map.entry("NOINFO", "it does not report its run_id and uptime"),
            Map.entry(
                "BADRECORD",
                "the record in " + keys.record() + " is invalid: repair or delete it"));
  }

  /** The message for any failure. */
  String message(Throwable failure) {
    Throwable cause = root(failure);
    String text = String.valueOf(cause.getMessage());
    String epoch = isServerError(cause) ? epochMessage(text) : null;
    if (epoch != null) {
      return at() + epoch;
    }
    for (Map.Entry<String, String> known : messages.entrySet()) {
      if (isServerError(cause) && text.contains(known.getKey())) {
        return at() + known.getValue() + " (" + redacted(text) + ")";
      }
    }
    if (isServerError(cause)) {
      return at() + "it replied: " + redacted(text);
    }
    return cause instanceof InvalidReplyException
        ? at() + "it sent " + text + ", so the connection was closed"
        : at() + "can't be reached: " + cause.getClass().getSimpleName() + ", " + redacted(text);
  }

  /** The message for an epoch that the script refused; null for any other failure. */
  private @Nullable String epochMessage(String text) {
    int end = text.indexOf(' ');
    String value = end < 0 ? "" : text.substring(end + 1);
    String record = "the field epoch of key " + keys.record();
    String repair = "redis-cli HSET '" + keys.record() + "' epoch $(date +%s)";
    if (text.startsWith("BADEPOCH")) {
      return EpochRangeException.implausible(value).sentence(record, repair);
    }
    if (text.startsWith("BADKEY")) {
      return EpochRangeException.implausible(value)
          .sentence("the value of key " + keys.lease(), "redis-cli DEL '" + keys.lease() + "'");
    }
    return text.startsWith("LASTEPOCH")
        ? EpochRangeException.exhausted(value).sentence(record, repair)
        : null;
  }

  /** A message that begins with the address. */
  String at(String what) {
    return at() + what;
  }

  private String at() {
    return "Redis at " + access + ": ";
  }

  /** Removes the password, and what the server quotes from a command that it does not know. */
  private String redacted(String text) {
    int repeated = text.indexOf(", with args beginning with");
    String kept = repeated < 0 ? text : text.substring(0, repeated);
    String password = sentPassword.get();
    return password.isEmpty() ? kept : kept.replace(password, "***");
  }

  /** True for an error reply: nothing was changed, and the connection remains usable. */
  static boolean isErrorReply(Throwable failure) {
    return isServerError(root(failure));
  }

  private static boolean isServerError(Throwable cause) {
    return cause instanceof RedisCommandExecutionException;
  }

  /** True if the script is not in the server's script cache. */
  static boolean isUnknownScript(@Nullable Throwable failure) {
    return failure != null
        && isErrorReply(failure)
        && String.valueOf(root(failure).getMessage()).startsWith("NOSCRIPT");
  }

  /** True if the server refuses this command to this user whenever it is sent. */
  static boolean isForbiddenCommand(Throwable failure) {
    String text = String.valueOf(root(failure).getMessage());
    return isErrorReply(failure)
        && (text.startsWith("NOPERM") || text.startsWith("ERR unknown command"));
  }

  /** True if the next request must use a new connection, perhaps to another server. */
  static boolean needsReconnect(Throwable failure) {
    String text = String.valueOf(root(failure).getMessage());
    return !isErrorReply(failure) || RECONNECT_ERRORS.stream().anyMatch(text::contains);
  }

  /** The cluster member that serves the key, if the failure is a redirect. */
  static RedisAddress.@Nullable Host movedTo(Throwable failure, String sameHost) {
    String text = String.valueOf(root(failure).getMessage());
    String[] words = text.split(" ", -1);
    if (!text.startsWith("MOVED ") || words.length < 3) {
      return null;
    }
    int colon = words[2].lastIndexOf(':');
    String host = colon <= 0 ? sameHost : words[2].substring(0, colon);
    try {
      return new RedisAddress.Host(host, Integer.parseInt(words[2].substring(colon + 1)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Unwraps a failure from the exceptions that futures and Lettuce put around it. */
  static Throwable root(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && !isServerError(cause)
        && (cause instanceof CompletionException || cause instanceof RedisException)) {
      cause = cause.getCause();
    }
    return cause;
  }
}
