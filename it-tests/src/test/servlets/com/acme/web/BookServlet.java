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
    boolean counts = request.getPathInfo().equals("/writes");
    response.getWriter().print(counts ? String.valueOf(Book.writes()) : "read");
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
      case "/reported" -> reported(response);
      case "/answered" -> answered(response);
      case "/unexplained" -> unexplained();
      case "/broken" -> throw new IllegalStateException("application error");
      default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  @Override
  protected void doPut(HttpServletRequest request, HttpServletResponse response) {
    Book.write();
  }

  @Override
  protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
    Book.write();
  }

  private static void reported(HttpServletResponse response) throws IOException {
    try {
      Book.write();
    } catch (IllegalStateException e) {
      response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "failed");
    }
  }

  private static void answered(HttpServletResponse response) throws IOException {
    try {
      Book.write();
    } catch (IllegalStateException e) {
      response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      response.getWriter().print("failed");
      response.flushBuffer();
    }
  }

  private static void unexplained() throws ServletException {
    try {
      Book.write();
    } catch (IllegalStateException e) {
      throw new ServletException("could not write");
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
