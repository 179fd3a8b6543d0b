package io.portcullis.backend.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * One request to the API server.
 *
 * @param method the HTTP method
 * @param path path and query, from the slash
 * @param body what to send, null if nothing
 * @param contentType what the body is
 */
record ApiRequest(String method, String path, @Nullable String body, String contentType) {}
