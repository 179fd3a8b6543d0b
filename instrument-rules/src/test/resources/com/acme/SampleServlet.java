package com.acme;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** A servlet that handles failures itself, with a minimal container. */
public final class SampleServlet extends GenericServlet {
  private static final long serialVersionUID = 1;

  /** Serves a request; returns the response's headers, and what else there is to see of it. */
  public static Map<String, String> serve(String path, String dispatch) {
    Reply reply = new Reply();
    HttpServletRequest request =
        stub(
            HttpServletRequest.class,
            Map.of(
                "getRequestURI", path,
                "getDispatcherType", DispatcherType.valueOf(dispatch),
                "getServletContext", context(reply.seen)));
    try {
      new Shield()
          .doFilter(request, reply, (again, response) -> new SampleServlet().service(again, response));
    } catch (Exception | StackOverflowError thrown) {
      reply.seen.put("thrown", thrown.getMessage());
    }
    reply.seen.put("status", String.valueOf(reply.status));
    reply.seen.put("body", reply.body);
    return reply.seen;
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) throws IOException {
    String path = ((HttpServletRequest) request).getRequestURI();
    Reply reply = (Reply) response;
    reply.body = "begun";
    if (path.equals("/committed")) {
      reply.flushBuffer();
    }
    if (path.equals("/mistake")) {
      reply.setStatus(500);
      return;
    }
    try {
      write();
    } catch (IllegalStateException e) {
      switch (path) {
        case "/status" -> reply.setStatus(500);
        case "/written" -> {
          reply.setStatus(502);
          reply.body = "sorry";
          reply.flushBuffer();
        }
        case "/sent" -> reply.sendError(500);
        case "/sent-text" -> reply.sendError(500, "sorry");
        case "/own" -> {
          reply.setHeader("Retry-After", "60");
          reply.setStatus(503);
        }
        case "/handled" -> reply.setStatus(409);
        case "/lost", "/shielded" -> throw new IllegalArgumentException("failed");
        default -> throw e;
      }
    }
  }

  /** Gated. */
  private static void write() {}

  /** Responds with 500 to every exception, as many applications do. */
  static final class Shield implements Filter {
    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      try {
        chain.doFilter(request, response);
      } catch (IllegalArgumentException e) {
        if (!((HttpServletRequest) request).getRequestURI().equals("/shielded")) {
          throw e;
        }
        ((HttpServletResponse) response).setStatus(500);
      }
    }

    @Override
    public void destroy() {}
  }

  static final class Reply extends HttpServletResponseWrapper {
    final Map<String, String> seen = new HashMap<>();
    int status = 200;
    String body = "";
    boolean committed;

    Reply() {
      super(stub(HttpServletResponse.class, Map.of()));
    }

    @Override
    public void setStatus(int newStatus) {
      status = committed ? status : newStatus;
    }

    @Override
    public int getStatus() {
      return status;
    }

    /** As in Tomcat, the response counts as committed from then on. */
    @Override
    public void sendError(int newStatus) {
      status = newStatus;
      body = "";
      committed = true;
    }

    @Override
    public void sendError(int newStatus, String text) {
      sendError(newStatus);
    }

    @Override
    public boolean isCommitted() {
      return committed;
    }

    @Override
    public void flushBuffer() {
      committed = true;
    }

    @Override
    public void resetBuffer() {
      body = "";
    }

    @Override
    public void setHeader(String name, String value) {
      if (!committed) {
        seen.put(name, value);
      }
    }

    @Override
    public boolean containsHeader(String name) {
      return seen.containsKey(name);
    }
  }

  private static ServletContext context(Map<String, String> seen) {
    return (ServletContext)
        Proxy.newProxyInstance(
            SampleServlet.class.getClassLoader(),
            new Class<?>[] {ServletContext.class},
            (proxy, method, arguments) ->
                seen.put("logged", ((Throwable) arguments[1]).getMessage()));
  }

  private static <T> T stub(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            SampleServlet.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getReturnType() == boolean.class ? false : answers.get(method.getName())));
  }
}
