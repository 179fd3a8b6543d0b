package io.portcullis.gate;

/**
 * Records, for the HTTP request that a thread serves, whether the gate has refused a call since the
 * thread entered the outermost woven servlet or filter. So a request can be answered as refused
 * even if the application has caught the exception.
 *
 * <p>Refusals outside woven servlets and filters are not recorded, nor are those on threads to
 * which the request passes work.
 *
 * <p>Per thread it keeps one small object of a bootstrap class for as long as the thread lives;
 * this object references nothing of the application.
 */
final class RequestRefusals {
  private static final ThreadLocal<ServedRequest> REQUESTS =
      ThreadLocal.withInitial(ServedRequest::new);

  /** False until a servlet or filter is woven and called, so that others do no look-up. */
  private static volatile boolean servesRequests;

  private RequestRefusals() {}

  private static final class ServedRequest {
    /** Number of woven servlets and filters that the thread is in. */
    private int depth;

    /** The gate that refused last; null if none has. */
    private @Nullable ElectionGate refusedBy;
  }

  /**
   * Records that the thread enters a servlet or filter.
   *
   * @return how many it is in already, for {@link #leave}
   */
  static int enter() {
    if (!servesRequests) {
      servesRequests = true;
    }
    ServedRequest request = REQUESTS.get();
    int outer = request.depth;
    if (outer == 0) {
      request.refusedBy = null;
    }
    request.depth = outer + 1;
    return outer;
  }

  /**
   * Records that the thread leaves a servlet or filter, normally or not. The depth is restored and
   * not counted down: one that could not record its end, since the stack was full, then has no
   * effect on those around it.
   *
   * @return if this was the outermost one, the gate that refused a call within it last; else null
   */
  static @Nullable ElectionGate leave(int outer) {
    ServedRequest request = REQUESTS.get();
    request.depth = outer;
    if (outer != 0) {
      return null;
    }
    ElectionGate refusedBy = request.refusedBy;
    request.refusedBy = null;
    return refusedBy;
  }

  /** Records that the gate of this election refuses a call on this thread. */
  static void note(ElectionGate election) {
    if (servesRequests) {
      ServedRequest request = REQUESTS.get();
      if (request.depth > 0) {
        request.refusedBy = election;
      }
    }
  }

  /** The gate that has refused a call within the present request last; null if none has. */
  static @Nullable ElectionGate refusedBy() {
    return REQUESTS.get().refusedBy;
  }
}
