/**
 * This node's participation in its elections, and the views of its state.
 *
 * <p>A view is an immutable snapshot, created on request. Its role is LEADER only if the gate was
 * open at that moment.
 */
@NullMarked
package io.portcullis.agent.node;

import org.jspecify.annotations.NullMarked;
