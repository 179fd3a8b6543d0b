/**
 * The fences of this node: between the lines to the application's databases, the election whose
 * epochs are compared there, and the operator who wants to see how they stand.
 */
@NullMarked
package io.portcullis.agent.fencing;

import org.jspecify.annotations.NullMarked;
