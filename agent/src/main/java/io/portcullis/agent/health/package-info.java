/**
 * Health checks that decide whether the service in this process may lead.
 *
 * <p>A check that hangs counts as failed: each check has its own thread, so a verdict is reached in
 * time even if a check never returns. A verdict can end leadership or allow a node to campaign; it
 * never opens a gate.
 */
@NullMarked
package io.portcullis.agent.health;

import org.jspecify.annotations.NullMarked;
