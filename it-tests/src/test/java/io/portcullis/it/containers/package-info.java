/** Services that live in a container with class loaders of its own. */
package io.portcullis.it.containers;
