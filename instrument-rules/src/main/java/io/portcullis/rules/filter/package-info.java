/**
 * Filters that select the rules which can match a class, before the class is parsed in full.
 *
 * <p><b>Promised.</b> A rule that matches a class is among those selected, as far as class files
 * and the classes seen so far show. The cost of a class that no rule matches does not grow with the
 * number of exact rules: one look-up of its name and, where there are rules by subtype or
 * annotation, reading its header and one look-up for each parent and annotation. No class is loaded
 * for it, and a loader is asked for class files only for rules by subtype or annotation, with no
 * lock held. Data about a loader's types is collected together with the loader.
 *
 * <p><b>Assumed.</b> Parents are as class files declare them. Callers that need certainty check
 * again when the class is loaded, with its real supertypes.
 */
@NullMarked
package io.portcullis.rules.filter;

import org.jspecify.annotations.NullMarked;
