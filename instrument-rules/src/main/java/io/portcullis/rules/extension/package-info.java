/**
 * What an extension implements to bring an action of its own.
 *
 * <p><b>Promised.</b> An action is asked on the thread of the refused call, after the gate has
 * refused it. Whatever it does, the method's body does not run: it can choose what the caller gets,
 * and nothing else.
 *
 * <p><b>Assumed.</b> It is quick and safe for use by any number of threads.
 */
@NullMarked
package io.portcullis.rules.extension;

import org.jspecify.annotations.NullMarked;
