/**
 * Tests writes of threads and processes that were paused until after the end of their leadership.
 */
package io.portcullis.it.fence;
