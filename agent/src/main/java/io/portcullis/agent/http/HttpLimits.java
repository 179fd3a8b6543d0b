package io.portcullis.agent.http;

import java.time.Duration;

/**
 * Limits on the resources that HTTP clients can use. The endpoint runs inside the application's
 * process, so its threads, memory and file handles are taken from the application.
 */
final class HttpLimits {
  /**
   * Concurrent connections. At the limit, a new one replaces the one that has been waiting for its
   * client longest.
   */
  static final int MAX_CONNECTIONS = 64;

  /** Concurrent threads; more than connections, since threads of closed ones need time to end. */
  static final int MAX_THREADS = MAX_CONNECTIONS + 16;

  /** Connections that the operating system queues until they are accepted. */
  static final int ACCEPT_BACKLOG = 64;

  /** Responses computed concurrently, so that many clients can't starve the election of CPU. */
  static final int MAX_CONCURRENT_RESPONSES = 2;

  /**
   * Concurrent requests with an admin token, valid or not. A token file whose read blocks must not
   * use up all connections.
   */
  static final int MAX_CONCURRENT_ADMIN_REQUESTS = 16;

  /** Requests on one connection; the last response has {@code Connection: close}. */
  static final int MAX_REQUESTS_PER_CONNECTION = 100;

  /** Size of the request line and all headers. */
  static final int MAX_HEAD_BYTES = 16 * 1024;

  static final int MAX_BODY_BYTES = 4 * 1024;

  /** From the end of the last response, or the connection's start, to the request's last byte. */
  static final Duration MAX_REQUEST_TIME = Duration.ofSeconds(10);

  /** Time for the client to receive its response. */
  static final Duration MAX_RESPONSE_TIME = Duration.ofSeconds(10);

  /** How long input is read after the last response, so that no TCP reset overtakes it. */
  static final Duration MAX_LINGER_TIME = Duration.ofSeconds(1);

  /**
   * How long a client waits if the limit is reached and no connection can be closed. Further
   * clients wait in the accept backlog.
   */
  static final Duration MAX_ADMISSION_TIME = Duration.ofSeconds(10);

  /** How often a waiting client checks for a free connection. */
  static final Duration ADMISSION_POLL_INTERVAL = Duration.ofMillis(5);

  /** How often overdue connections are closed while any connection is open. */
  static final Duration OVERDUE_CHECK_INTERVAL = Duration.ofMillis(500);

  /** Idle time after which a thread without a connection ends. */
  static final Duration THREAD_KEEP_ALIVE = Duration.ofSeconds(5);

  private HttpLimits() {}
}
