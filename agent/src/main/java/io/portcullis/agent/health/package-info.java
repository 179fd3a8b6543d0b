/**
 * Whether the service in this process is well enough for the node to lead.
 *
 * <p>A check that hangs is a check that fails: each has a thread of its own, and a verdict comes in
 * time whatever becomes of it. A verdict can take leadership away or let a node stand for it; it
 * opens no gate.
 */
@NullMarked
package io.portcullis.agent.health;

import org.jspecify.annotations.NullMarked;
