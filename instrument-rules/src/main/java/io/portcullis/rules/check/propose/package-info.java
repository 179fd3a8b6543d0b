/**
 * Proposes rules for an application from its class files, for a first configuration.
 *
 * <p><b>Promised.</b> A proposal is a function of the class path and of the rule sets; no class is
 * loaded. Every proposed rule gates at least one method of the class path and can be woven there,
 * and states why it is proposed. A write of the catalogue that no proposed rule gates is named.
 *
 * <p><b>Assumed.</b> What {@link io.portcullis.rules.check.writes} assumes about calls.
 *
 * <p><b>Not promised.</b> That refusing the proposed methods suits the application: a proposal is
 * tried in observe mode first.
 */
@NullMarked
package io.portcullis.rules.check.propose;

import org.jspecify.annotations.NullMarked;
