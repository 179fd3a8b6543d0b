/**
 * What probes, scrapers and people read over HTTP, and what operators order.
 *
 * <p>Whoever connects gets a bounded share of the host JVM: connections, threads, bytes and time
 * ({@code HttpLimits}), and a slow client holds up nobody. Orders need a token; none of them can
 * open a gate. A port that is taken costs the paths, never the election.
 */
@NullMarked
package io.portcullis.agent.http;

import org.jspecify.annotations.NullMarked;
