package com.acme.web;

import java.io.File;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Runs the servlets in an embedded Tomcat. */
public final class WebService {
  private WebService() {}

  public static void main(String[] args) throws LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(new File("tomcat").getAbsolutePath());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    Context context = tomcat.addContext("", new File("").getAbsolutePath());
    Tomcat.addServlet(context, "book", new BookServlet());
    context.addServletMappingDecoded("/book/*", "book");
    Tomcat.addServlet(context, "bare", new BareServlet());
    context.addServletMappingDecoded("/bare", "bare");
    context.addServletMappingDecoded("/sorry", "bare");
    Tomcat.addServlet(context, "sorry", new Sorry());
    context.addServletMappingDecoded("/sorry-later", "sorry");
    Tomcat.addServlet(context, "resource", new ResourceServlet());
    context.addServletMappingDecoded("/resource", "resource");
    audit(context);
    addErrorPage(context, 500, "/sorry");
    addErrorPage(context, 503, "/sorry-later");
    tomcat.start();
    System.out.println(
        "listening on http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + " as web");
    tomcat.getServer().await();
  }

  private static void addErrorPage(Context context, int status, String location) {
    ErrorPage page = new ErrorPage();
    page.setErrorCode(status);
    page.setLocation(location);
    context.addErrorPage(page);
  }

  private static void audit(Context context) {
    FilterDef filter = new FilterDef();
    filter.setFilterName("audit");
    filter.setFilter(new Audit());
    context.addFilterDef(filter);
    FilterMap mapping = new FilterMap();
    mapping.setFilterName("audit");
    mapping.addURLPattern("/audited/*");
    context.addFilterMap(mapping);
    context.addServletMappingDecoded("/audited/*", "book");
  }
}
