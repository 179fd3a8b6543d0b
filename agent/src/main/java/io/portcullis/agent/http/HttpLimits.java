package io.portcullis.agent.http;

import java.time.Duration;

/**
 * How much of the host JVM whoever connects can take. The endpoint lives in somebody else's
 * process: threads, memory and file handles that it uses are the application's.
 */
final class HttpLimits {
  /** Connections at a time; one more takes the place of the one that has dawdled longest. */
  static final int MAX_CONNECTIONS = 64;

  /** Threads at a time: those of closed connections take a moment to end. */
  static final int MAX_THREADS = MAX_CONNECTIONS + 16;

  /** Connections that the system holds until they are accepted. */
  static final int ACCEPT_BACKLOG = 64;

  /** Answers made at a time, so that many clients can't take the processors from the election. */
  static final int MAX_CONCURRENT_RESPONSES = 2;

  /** Orders and guesses at a time, lest a file that can't be read for long takes all places. */
  static final int MAX_CONCURRENT_ADMIN_REQUESTS = 16;

  /** Requests on one connection; the last answer says that it closes. */
  static final int MAX_REQUESTS_PER_CONNECTION = 100;

  /** The first line and all headers of a request. */
  static final int MAX_HEAD_BYTES = 16 * 1024;

  /** The body of a request. */
  static final int MAX_BODY_BYTES = 4 * 1024;

  /**
   * From the end of the last answer, or from the connection's start, to the request's last byte.
   */
  static final Duration MAX_REQUEST_TIME = Duration.ofSeconds(10);

  /** Until the client has taken its answer. */
  static final Duration MAX_RESPONSE_TIME = Duration.ofSeconds(10);

  /** What is still sent after the last answer is read for so long, lest a reset overtakes it. */
  static final Duration MAX_LINGER_TIME = Duration.ofSeconds(1);

  /** How long a client waits for a place if nobody can be sent away; the system holds the next. */
  static final Duration MAX_ADMISSION_TIME = Duration.ofSeconds(10);

  /** How often it is looked for meanwhile. */
  static final Duration ADMISSION_POLL_INTERVAL = Duration.ofMillis(5);

  /** How often overdue connections are looked for while there are any. */
  static final Duration OVERDUE_CHECK_INTERVAL = Duration.ofMillis(500);

  /** A thread without a connection ends after this. */
  static final Duration THREAD_KEEP_ALIVE = Duration.ofSeconds(5);

  private HttpLimits() {}
}
