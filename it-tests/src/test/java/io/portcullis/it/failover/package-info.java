/** One node after another leads, and never two at once. */
package io.portcullis.it.failover;
