/**
 * What the agent puts between an election and the gate, and between a refused call and its refusal.
 */
@NullMarked
package io.portcullis.agent.gating;

import org.jspecify.annotations.NullMarked;
