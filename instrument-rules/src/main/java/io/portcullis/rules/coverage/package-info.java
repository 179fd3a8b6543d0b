/**
 * Installed rules: each with its checkpoint at the gate, its state and the methods woven so far.
 *
 * <p><b>Promised.</b> A rule has its checkpoint before any class can be woven with it. Every match,
 * miss and failure of a rule appears in its state and hint and is sent to its listener. A class
 * woven twice counts once, and a class whose loader has been collected no longer counts. A listener
 * that throws changes nothing, and is notified again with the rule's next event.
 *
 * <p><b>Not promised.</b> State and counts do not prove that weaving works. The {@link
 * io.portcullis.rules.coverage.Canary} does, when its check is called.
 */
@NullMarked
package io.portcullis.rules.coverage;

import org.jspecify.annotations.NullMarked;
