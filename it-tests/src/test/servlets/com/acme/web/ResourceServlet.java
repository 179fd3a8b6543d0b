package com.acme.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Calls resources, and answers 500 to each of their exceptions, like a framework would. */
public final class ResourceServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient Resource resource = new Resource();

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String answer;
    try {
      answer = request.getMethod().equals("POST") ? resource.create() : resource.read();
    } catch (RuntimeException e) {
      response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      answer = "failed";
    }
    response.getWriter().print(answer);
    response.flushBuffer();
  }
}
