/**
 * Finds secrets in configuration values, removes them from every text that is displayed, and checks
 * the token of admin commands.
 *
 * <p><b>Promised.</b> Redaction removes too much rather than too little. Tokens are compared in
 * constant time.
 *
 * <p><b>Not promised.</b> That a secret is recognized whose key does not name it as one and that
 * was not read as a secret.
 */
@NullMarked
package io.portcullis.agent.config.secret;

import org.jspecify.annotations.NullMarked;
