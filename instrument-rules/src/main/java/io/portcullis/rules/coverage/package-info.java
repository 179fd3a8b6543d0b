/**
 * Rules at work: each with its checkpoint at the gate, and with what has become of it so far.
 *
 * <p><b>Promised.</b> A rule has its checkpoint before any class can be woven with it. Whatever
 * comes of a rule is seen in its state and hint and told to its listener: nothing that is found,
 * missed or failed stays silent. A class woven twice counts once, and one whose loader is gone no
 * more. A listener that breaks changes nothing, and is told again with the next news.
 *
 * <p><b>Not promised.</b> That weaving works is shown by the {@link
 * io.portcullis.rules.coverage.Canary}, once it is asked to.
 */
@NullMarked
package io.portcullis.rules.coverage;

import org.jspecify.annotations.NullMarked;
