package com.acme.web;

import jakarta.ws.rs.POST;

/** A resource in the style of JAX-RS. */
public final class Resource {
  public String read() {
    return "read";
  }

  @POST
  public String create() {
    return Book.write();
  }
}
