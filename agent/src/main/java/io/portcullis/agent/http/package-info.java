/**
 * The paths that probes, scrapers and people read over HTTP.
 *
 * <p>Requests are bounded in size and time, and a slow client holds up nobody. Nothing here changes
 * anything, and a port that is taken costs the paths, never the election.
 */
@NullMarked
package io.portcullis.agent.http;

import org.jspecify.annotations.NullMarked;
