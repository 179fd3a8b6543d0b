package com.acme.web;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** A servlet that does not extend HttpServlet. */
public final class BareServlet implements Servlet {
  @Override
  public void init(ServletConfig config) {}

  @Override
  public ServletConfig getServletConfig() {
    return null;
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) throws IOException {
    response.getWriter().print(Book.write());
  }

  @Override
  public String getServletInfo() {
    return "";
  }

  @Override
  public void destroy() {}
}
