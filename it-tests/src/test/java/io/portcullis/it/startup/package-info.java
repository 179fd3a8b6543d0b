/** How a service with the agent starts, and what it says if it can't. */
package io.portcullis.it.startup;
