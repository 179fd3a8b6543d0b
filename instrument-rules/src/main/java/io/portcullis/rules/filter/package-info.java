/**
 * Which rules can mean a class, found out before anything is made of it.
 *
 * <p><b>Promised.</b> A rule that means a class is among those found, as far as class files and the
 * classes that came past tell. What a class costs that no rule means does not grow with the number
 * of exact rules: a look-up for its name; and where there are rules by subtype or annotation, the
 * reading of its head and a look-up for each parent and annotation. No class is loaded for it, and
 * a loader is asked for class files only for rules by subtype or annotation, with no lock held.
 * What is known of a loader's types goes with the loader.
 *
 * <p><b>Assumed.</b> That parents are what class files say. Whoever needs certainty asks once more
 * when the class is loaded, by its real supertypes.
 */
@NullMarked
package io.portcullis.rules.filter;

import org.jspecify.annotations.NullMarked;
