/**
 * The weaver, which gates the methods that rules mean, as their classes are loaded or after.
 *
 * <p><b>Promised.</b> A class that a rule in force means is loaded with every method gated that the
 * rule means and that has a body, or the {@link io.portcullis.rules.weave.WeaveFailures} are told
 * first; if they let the JVM go on, the methods concerned throw, or the class can't be loaded. A
 * rule that only observes changes no behaviour, not even when it fails. No class is loaded to find
 * out what others are. No bytes but the class's own are read, unless a rule means subtypes, asks
 * for an annotation or names an exception of the application's; then the class's loader is asked
 * for class files, with no lock of ours held. Woven classes keep their shape, so that loaded ones
 * can be woven too.
 *
 * <p><b>Assumed.</b> The gate's classes can be found by the woven class's loader. Where they can't
 * (OSGi, JBoss Modules, until told to delegate {@code io.portcullis.gate}) a gated call ends in a
 * {@link java.lang.NoClassDefFoundError}: shut, not open. A class that is already loaded can't be
 * unloaded: if it can't be woven, all that is left is to tell. A loader's resources are the classes
 * that it defines. Where they are not, or a parent was generated and never came past the weaver, a
 * subtype may be taken for none; {@link io.portcullis.rules.weave.Weaver#weaveLoaded} compares each
 * class once with its real supertypes, weaves what was missed, and the rule tells that it came
 * late.
 *
 * <p><b>Not promised.</b> Classes of the JDK's own modules, of the platform loader, of the agent's
 * loaders, and hidden classes are never woven. Hidden classes that a rule means are told by {@link
 * io.portcullis.rules.weave.Weaver#weaveLoaded}. Of the bootstrap loader, what the application
 * added to it is woven, and nothing else. Methods that are abstract or native can't be; the rule's
 * hint names them. Where a rule in force names class and method without a wildcard, a native method
 * is a weave error: gate the methods that call it instead.
 *
 * <p>Where a class is loaded at the very end of a thread's stack, the JVM fails to call any
 * transformer and loads the class as it is: tried on JDK 17 with 15 000 loads over the last 3 000
 * frames of exhausted stacks, 19 classes came out unwoven. {@link
 * io.portcullis.rules.weave.Weaver#weaveLoaded} finds such classes and weaves them; until it is
 * called again they are not gated. The same holds for a class that a loader of the application's
 * first needs while the weaver asks it for a class file.
 */
@NullMarked
package io.portcullis.rules.weave;

import org.jspecify.annotations.NullMarked;
