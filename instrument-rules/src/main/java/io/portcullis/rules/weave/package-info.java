/**
 * The weaver, which gates the methods that rules match, when their classes are loaded or later.
 *
 * <p><b>Promised.</b> A class that a rule in force matches is loaded with every matching method
 * that has a body gated, or {@link io.portcullis.rules.weave.WeaveFailures} is notified first; if
 * it lets the JVM continue, the affected methods throw, or the class can't be loaded. A rule that
 * only observes changes no behaviour, not even when it fails. No class is loaded to inspect others.
 * Only the class's own bytes are read, unless a rule matches subtypes, matches an annotation or
 * names an exception class of the application; then the class's loader is asked for class files,
 * with no lock of the agent held. Woven classes keep their shape, so loaded classes can be woven
 * too.
 *
 * <p><b>Assumed.</b> The woven class's loader finds the gate's classes. Where it can't (OSGi, JBoss
 * Modules, until they are configured to delegate {@code io.portcullis.gate}) a gated call ends in a
 * {@link java.lang.NoClassDefFoundError}: shut, not open. A class that is already loaded can't be
 * unloaded: if it can't be woven, the failure can only be reported. A loader's resources are the
 * classes that it defines. Where they are not, or where a parent was generated and the weaver never
 * saw it, a subtype may not be recognised; {@link io.portcullis.rules.weave.Weaver#weaveLoaded}
 * compares each class once with its real supertypes and weaves what was missed, and the rule's hint
 * then reports that the class was woven late.
 *
 * <p><b>Not promised.</b> Classes of the JDK's own modules, of the platform loader, of the agent's
 * loaders, and hidden classes are never woven. {@link io.portcullis.rules.weave.Weaver#weaveLoaded}
 * reports hidden classes that a rule matches. Of the bootstrap loader's classes, only those that
 * the application added to it are woven. Abstract and native methods can't be woven; the rule's
 * hint names them. Where a rule in force names class and method without a wildcard, a native method
 * is a weave error: gate the methods that call it instead.
 *
 * <p>If a class is loaded at the very end of a thread's stack, the JVM fails to call any
 * transformer and loads the class unchanged: in a test on JDK 17 with 15 000 loads over the last 3
 * 000 frames of exhausted stacks, 19 classes were loaded unwoven. {@link
 * io.portcullis.rules.weave.Weaver#weaveLoaded} finds such classes and weaves them; until its next
 * call they are not gated. The same holds for a class that a class loader of the application first
 * needs while the weaver asks that loader for a class file.
 */
@NullMarked
package io.portcullis.rules.weave;

import org.jspecify.annotations.NullMarked;
