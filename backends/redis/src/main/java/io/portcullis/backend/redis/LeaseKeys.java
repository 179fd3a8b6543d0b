package io.portcullis.backend.redis;

/**
 * The names of one election in Redis, all in one slot of a cluster.
 *
 * @param lease holds {@code identity:epoch} and expires with the lease
 * @param record the hash that remembers epochs and never expires
 * @param channel where releases and wishes are told
 */
record LeaseKeys(String lease, String record, String channel) {

  static LeaseKeys of(String key) {
    String record = hasHashTag(key) ? key + ":lease" : "{" + key + "}:lease";
    return new LeaseKeys(key, record, record + ":events");
  }

  /** A cluster hashes what stands between the first brace and the next closing one, if anything. */
  static boolean hasHashTag(String key) {
    int open = key.indexOf('{');
    return open >= 0 && key.indexOf('}', open) > open + 1;
  }

  /** False for keys whose record would lie in another slot: braces that are no hash tag. */
  static boolean sharesASlot(String key) {
    return hasHashTag(key) || (key.indexOf('{') < 0 && key.indexOf('}') < 0);
  }
}
