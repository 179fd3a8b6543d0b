/**
 * How a configuration chooses a store: what a {@link io.portcullis.election.backend.Backend} reads
 * from it, and what it makes of that.
 *
 * <p>A backend reads {@link io.portcullis.election.backend.Settings} without knowing where they
 * come from, reports everything that can't be right at once, and connects to nothing until {@link
 * io.portcullis.election.backend.StorePlan#open}.
 */
@NullMarked
package io.portcullis.election.backend;

import org.jspecify.annotations.NullMarked;
