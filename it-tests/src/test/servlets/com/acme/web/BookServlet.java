package com.acme.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes to the book, with several kinds of failures. */
public final class BookServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("read");
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    switch (request.getPathInfo()) {
      case "/plain" -> response.getWriter().print(Book.write());
      case "/wrapped" -> wrapped();
      case "/half-done" -> {
        response.setContentType("text/html");
        response.setContentLength(100);
        response.getWriter().print("half of a response");
        Book.write();
      }
      case "/committed" -> {
        response.getWriter().print("half of a response");
        response.flushBuffer();
        Book.write();
      }
      case "/broken" -> throw new IllegalStateException("application error");
      default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private static void wrapped() throws ServletException {
    try {
      Book.write();
    } catch (IllegalStateException e) {
      throw new ServletException("failed", new RuntimeException(e));
    }
  }
}
