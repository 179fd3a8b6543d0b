/**
 * The fences of this node. Connects the application's database connections with the election whose
 * epochs are checked there, and reports the state of each fence to operators.
 */
@NullMarked
package io.portcullis.agent.fencing;

import org.jspecify.annotations.NullMarked;
