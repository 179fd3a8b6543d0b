/**
 * Configuration of an election. All values are validated as a whole: a timing that can't work is
 * refused at construction, with a sentence for every relation it breaks.
 */
@NullMarked
package io.portcullis.election.config;

import org.jspecify.annotations.NullMarked;
