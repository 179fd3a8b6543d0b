/** Writes of threads and processes that slept through the end of their leadership. */
package io.portcullis.it.fence;
