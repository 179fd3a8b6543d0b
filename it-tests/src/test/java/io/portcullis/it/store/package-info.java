/** The store restarts, forgets, loses keys or goes away, under continuous writes. */
package io.portcullis.it.store;
