/**
 * Resources that compare epochs: where writes are refused unless they come under the epoch that was
 * installed last.
 *
 * <p>Promise: behind a {@link io.portcullis.election.fence.FencedStore} no gate opens under an
 * epoch before every fence that the settings name stands at it. What such a fence has seen counts
 * as seen by the election, so that a store which forgot its epochs can't wedge a fence. Databases
 * that are added later are raised too, and decide nothing.
 */
@NullMarked
package io.portcullis.election.fence;

import org.jspecify.annotations.NullMarked;
