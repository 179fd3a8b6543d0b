/** Applications that nobody here wrote, driven as their users drive them. */
package io.portcullis.it.apps;
