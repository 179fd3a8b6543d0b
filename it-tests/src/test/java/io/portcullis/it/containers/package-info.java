/** Tests services in containers with class loaders of their own. */
package io.portcullis.it.containers;
