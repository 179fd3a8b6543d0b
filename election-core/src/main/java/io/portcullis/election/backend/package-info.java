/**
 * The interfaces between a configuration and a store: a {@link
 * io.portcullis.election.backend.Backend} reads its settings and returns a plan that can open the
 * store.
 *
 * <p>A backend reads {@link io.portcullis.election.backend.Settings} independently of their source,
 * reports all invalid settings at once, and opens no connection before {@link
 * io.portcullis.election.backend.StorePlan#open}.
 *
 * <p>It also has what the stores of several backends need in the same way, such as a TLS context
 * from PEM files and the pauses between retries.
 */
@NullMarked
package io.portcullis.election.backend;

import org.jspecify.annotations.NullMarked;
