/** Tests how a service with the agent starts, and which errors it reports. */
package io.portcullis.it.startup;
