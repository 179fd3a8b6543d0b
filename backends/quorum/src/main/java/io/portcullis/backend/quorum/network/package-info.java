/**
 * Transport between members: framed messages over TCP. Frames are authenticated with a shared
 * secret (each carries a seal, an HMAC), encrypted by TLS, or both. Messages may be lost, but never
 * altered, forged or repeated; a message that fails a check is dropped and counted. One thread owns
 * all state, and every queue, size and wait has a limit.
 */
@NullMarked
package io.portcullis.backend.quorum.network;

import org.jspecify.annotations.NullMarked;
