/** Tests stores that restart, lose data, lose keys or are unreachable, under continuous writes. */
package io.portcullis.it.store;
