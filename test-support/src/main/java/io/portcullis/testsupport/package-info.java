/**
 * Helpers shared by the tests of all modules. They depend on the JDK only, so that any module can
 * use them; helpers that start servers are in {@code test-servers} and {@code test-kubernetes}.
 */
@NullMarked
package io.portcullis.testsupport;

import org.jspecify.annotations.NullMarked;
