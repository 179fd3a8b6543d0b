/** Tests that one node leads after another, and never two at once. */
package io.portcullis.it.failover;
