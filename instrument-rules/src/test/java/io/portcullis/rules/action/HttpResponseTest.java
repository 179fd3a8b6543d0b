package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.testsupport.SourceCompiler;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the response that a client receives if the application catches the refusal of a call. */
@Tag("slow")
@ParameterizedClass
@ValueSource(strings = {"jakarta", "javax"})
class HttpResponseTest {
  private static final Path SOURCE =
      Path.of("src", "test", "resources", "com", "acme", "SampleServlet.java");

  private final String api;

  @TempDir Path classes;

  HttpResponseTest(String api) {
    this.api = api;
  }

  /** The application, with rules for its servlets and filters, and for the status of responses. */
  private WovenServlet weave(boolean redirect, boolean withStatus)
      throws IOException, ReflectiveOperationException {
    List<Rule> rules = new ArrayList<>();
    rules.add(rule("write", "com.acme.SampleServlet#write()", "throw", Map.of()));
    rules.add(answering("servlets", "API.Servlet+#service(API.ServletRequest,..)", redirect));
    rules.add(answering("filters", "API.Filter+#doFilter(API.ServletRequest,..)", redirect));
    if (withStatus) {
      String responses = "API.http.HttpServletResponse+";
      rules.add(answering("status", responses + "#setStatus(int,..)", redirect));
      rules.add(answering("errors", responses + "#sendError(int,..)", redirect));
    }
    String source = Files.readString(SOURCE).replace("jakarta.servlet", api + ".servlet");
    SourceCompiler.withTestClassPath().compileTexts(List.of(source), classes);
    WeavingFixture fixture = WeavingFixture.of(rules);
    fixture.gate.leaderSeen("b-1", "http://b.test:8080", 1);
    URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
    return new WovenServlet(fixture, loader, loader.loadClass("com.acme.SampleServlet"));
  }

  private Rule answering(String id, String match, boolean redirect) {
    Map<String, Object> options =
        Map.of("retry-after", Duration.ofSeconds(7), "redirect", redirect);
    return rule(id, match, "answer-503", options);
  }

  private Rule rule(String id, String match, String action, Map<String, Object> options) {
    String text = match.replace("API", api + ".servlet");
    return Rule.of(new RuleSpec(id, text, "writer", action, options, false), false);
  }

  private record WovenServlet(WeavingFixture fixture, URLClassLoader loader, Class<?> servlet)
      implements AutoCloseable {
    String serve(String path) throws ReflectiveOperationException {
      return serve(path, "REQUEST");
    }

    String serve(String path, String dispatch) throws ReflectiveOperationException {
      Object seen =
          servlet.getMethod("serve", String.class, String.class).invoke(null, path, dispatch);
      return String.valueOf(seen);
    }

    @Override
    public void close() throws IOException {
      fixture.close();
      loader.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/thrown, ''",
    "/shielded, begun",
    "/lost, ''",
    "/status, begun",
    "/written, sorry",
    "/sent, ''",
    "/sent-text, ''",
  })
  void serverErrorAfterARefusalBecomes503(String path, String body) throws Exception {
    try (WovenServlet servlet = weave(false, true)) {
      assertThat(servlet.serve(path))
          .contains("status=503", "Retry-After=7", "X-Portcullis-Leader=b-1", "body=" + body)
          .doesNotContain("thrown=", "Location=");
      assertThat(servlet.fixture.failures).isEmpty();
      assertThat(servlet.fixture.book.coverage()).allMatch(rule -> rule.state() == RuleState.ARMED);
    }
  }

  @Test
  void withoutTheStatusRulesAnUncommittedServerErrorBecomes503() throws Exception {
    try (WovenServlet servlet = weave(false, false)) {
      assertThat(servlet.serve("/status"))
          .contains("status=503", "Retry-After=7", "X-Portcullis-Leader=b-1")
          .doesNotContain("begun");
      assertThat(servlet.serve("/shielded")).contains("status=503", "Retry-After=7");
      assertThat(servlet.serve("/written")).contains("status=502").doesNotContain("Retry-After");
    }
  }

  @Test
  void committedAndSuccessfulResponsesStayUnchanged() throws Exception {
    try (WovenServlet servlet = weave(false, true)) {
      assertThat(servlet.serve("/committed"))
          .contains("status=200", "body=begun", "thrown=This node does not lead")
          .doesNotContain("Retry-After");
      assertThat(servlet.serve("/handled"))
          .contains("status=409", "body=begun")
          .doesNotContain("Retry-After", "X-Portcullis");
      assertThat(servlet.serve("/own"))
          .contains("status=503", "Retry-After=60", "body=begun", "X-Portcullis-Leader=b-1");
    }
  }

  @Test
  void mistakesOfTheApplicationStayAsTheyAre() throws Exception {
    try (WovenServlet servlet = weave(false, true)) {
      assertThat(servlet.serve("/mistake")).contains("status=500").doesNotContain("Retry-After");
      servlet.fixture.open();
      assertThat(servlet.serve("/lost")).contains("status=200");
    }
  }

  @Test
  void exceptionHiddenFromTheClientIsLogged() throws Exception {
    try (WovenServlet servlet = weave(false, true)) {
      assertThat(servlet.serve("/lost")).contains("logged=failed");
      assertThat(servlet.serve("/thrown")).doesNotContain("logged");
    }
  }

  @Test
  void refusedErrorPageKeepsTheOriginalError() throws Exception {
    try (WovenServlet servlet = weave(false, true)) {
      assertThat(servlet.serve("/thrown", "ERROR"))
          .contains("status=200", "thrown=This node does not lead");
      assertThat(servlet.serve("/lost", "ERROR")).contains("status=200", "thrown=failed");
    }
  }

  @Test
  void clientsAreRedirectedWhileTheResponseCanBeChanged() throws Exception {
    try (WovenServlet servlet = weave(true, true)) {
      for (String path : List.of("/thrown", "/lost", "/status", "/shielded")) {
        assertThat(servlet.serve(path))
            .contains("status=307", "Location=http://b.test:8080" + path);
      }
      assertThat(servlet.serve("/sent")).contains("status=503", "Retry-After=7");
    }
  }
}
