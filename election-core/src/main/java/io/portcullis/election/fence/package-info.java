/**
 * Fences: resources that check epochs and refuse writes under any epoch but the one installed last.
 *
 * <p>Promise: behind a {@link io.portcullis.election.fence.FencedStore} no gate opens under an
 * epoch before every fence that the settings name has it. Epochs seen at such a fence count as seen
 * by the election, so that a store which forgot its epochs can't make a fence unusable. Databases
 * that are added later are raised too, and affect nothing in the election.
 */
@NullMarked
package io.portcullis.election.fence;

import org.jspecify.annotations.NullMarked;
