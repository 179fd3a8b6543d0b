package com.acme.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Reads and works on the request's thread, on its own thread, and with a future that stays open.
 */
public final class WebTasksServlet extends HttpServlet {
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String here = outcome();
    String elsewhere = onOwnThread();
    CompletableFuture<String> promise = WebTasks.promise();
    String promised = promise.isCompletedExceptionally() ? "refused" : "done";
    response.getWriter().print(here + " " + elsewhere + " " + promised);
  }

  private static String outcome() {
    try {
      WebTasks.read();
      return WebTasks.work();
    } catch (IllegalStateException e) {
      return "refused";
    } catch (SQLException e) {
      return e.toString();
    }
  }

  private static String onOwnThread() throws IOException {
    FutureTask<String> task = new FutureTask<>(WebTasksServlet::outcome);
    Thread thread = new Thread(task, "web-tasks");
    thread.start();
    try {
      thread.join();
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
  }
}
