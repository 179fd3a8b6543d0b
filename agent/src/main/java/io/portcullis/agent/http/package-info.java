/**
 * HTTP endpoint for health probes, metrics, the status page and admin commands.
 *
 * <p>Clients get a bounded share of the host JVM: connections, threads, bytes and time ({@code
 * HttpLimits}). A slow client (slowloris) does not block others. Admin commands need a token; none
 * of them can open a gate. If the port is taken, only this endpoint is unavailable; the election is
 * not affected.
 */
@NullMarked
package io.portcullis.agent.http;

import org.jspecify.annotations.NullMarked;
