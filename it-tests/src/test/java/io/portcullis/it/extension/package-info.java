/** Tests extension jars in the agent: the example below {@code src/test/extension}. */
package io.portcullis.it.extension;
