/**
 * The way from member to member: framed messages over TCP, sealed with a shared secret or carried
 * by TLS, or both. Messages may be lost, never altered, forged or repeated; what fails a check is
 * dropped and counted. All of it belongs to one thread, and everything is bounded.
 */
@NullMarked
package io.portcullis.backend.quorum.network;

import org.jspecify.annotations.NullMarked;
