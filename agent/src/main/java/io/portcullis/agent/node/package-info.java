/**
 * This node as it takes part in its elections, and what it shows of itself.
 *
 * <p>A view is one immutable value, made when it is asked for. Its role says LEADER only if the
 * gate was open at that moment.
 */
@NullMarked
package io.portcullis.agent.node;

import org.jspecify.annotations.NullMarked;
