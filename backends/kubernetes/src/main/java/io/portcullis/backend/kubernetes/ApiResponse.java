package io.portcullis.backend.kubernetes;

/**
 * What came back by HTTP.
 *
 * @param code its status
 * @param body all of its body
 */
record ApiResponse(int code, String body) {}
