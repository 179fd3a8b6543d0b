package com.acme.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** An error page, whatever the method of the request was. */
public final class Sorry extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("sorry");
  }
}
