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

/** What the client of a servlet hears if a call was refused, though the application caught that. */
@Tag("slow")
@ParameterizedClass
@ValueSource(strings = {"jakarta", "javax"})
class HttpResponseTest {
  private static final Path SOURCE =
      Path.of("src", "test", "resources", "com", "acme", "Desk.java");

  private final String api;

  @TempDir Path classes;

  HttpResponseTest(String api) {
    this.api = api;
  }

  /** The application, with rules for its servlets and filters, and for the status of responses. */
  private WovenDesk weave(boolean redirect, boolean withStatus)
      throws IOException, ReflectiveOperationException {
    List<Rule> rules = new ArrayList<>();
    rules.add(rule("book", "com.acme.Desk#write()", "throw", Map.of()));
    rules.add(answering("servlets", "API.Servlet+#service(API.ServletRequest,..)", redirect));
    rules.add(answering("filters", "API.Filter+#doFilter(API.ServletRequest,..)", redirect));
    if (withStatus) {
      String responses = "API.http.HttpServletResponse+";
      rules.add(answering("status", responses + "#setStatus(int,..)", redirect));
      rules.add(answering("errors", responses + "#sendError(int,..)", redirect));
    }
    String source = Files.readString(SOURCE).replace("jakarta.servlet", api + ".servlet");
    SourceCompiler.withTestClassPath().compileTexts(List.of(source), classes);
    WeavingFixture trial = WeavingFixture.of(rules);
    trial.gate.leaderSeen("b-1", "http://b.test:8080", 1);
    URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
    return new WovenDesk(trial, loader, loader.loadClass("com.acme.Desk"));
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

  private record WovenDesk(WeavingFixture trial, URLClassLoader loader, Class<?> desk)
      implements AutoCloseable {
    String serve(String path) throws ReflectiveOperationException {
      return serve(path, "REQUEST");
    }

    String serve(String path, String dispatch) throws ReflectiveOperationException {
      Object seen =
          desk.getMethod("serve", String.class, String.class).invoke(null, path, dispatch);
      return String.valueOf(seen);
    }

    @Override
    public void close() throws IOException {
      trial.close();
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
    try (WovenDesk desk = weave(false, true)) {
      assertThat(desk.serve(path))
          .contains("status=503", "Retry-After=7", "X-Portcullis-Leader=b-1", "body=" + body)
          .doesNotContain("thrown=", "Location=");
      assertThat(desk.trial.failures).isEmpty();
      assertThat(desk.trial.book.coverage()).allMatch(rule -> rule.state() == RuleState.ARMED);
    }
  }

  @Test
  void withoutTheStatusRulesAnUncommittedServerErrorBecomes503() throws Exception {
    try (WovenDesk desk = weave(false, false)) {
      assertThat(desk.serve("/status"))
          .contains("status=503", "Retry-After=7", "X-Portcullis-Leader=b-1")
          .doesNotContain("begun");
      assertThat(desk.serve("/shielded")).contains("status=503", "Retry-After=7");
      assertThat(desk.serve("/written")).contains("status=502").doesNotContain("Retry-After");
    }
  }

  @Test
  void committedAndSuccessfulResponsesStayUnchanged() throws Exception {
    try (WovenDesk desk = weave(false, true)) {
      assertThat(desk.serve("/committed"))
          .contains("status=200", "body=begun", "thrown=This node does not lead")
          .doesNotContain("Retry-After");
      assertThat(desk.serve("/handled"))
          .contains("status=409", "body=begun")
          .doesNotContain("Retry-After", "X-Portcullis");
      assertThat(desk.serve("/own"))
          .contains("status=503", "Retry-After=60", "body=begun", "X-Portcullis-Leader=b-1");
    }
  }

  @Test
  void mistakesOfTheApplicationStayAsTheyAre() throws Exception {
    try (WovenDesk desk = weave(false, true)) {
      assertThat(desk.serve("/mistake")).contains("status=500").doesNotContain("Retry-After");
      desk.trial.open();
      assertThat(desk.serve("/lost")).contains("status=200");
    }
  }

  @Test
  void exceptionHiddenFromTheClientIsLogged() throws Exception {
    try (WovenDesk desk = weave(false, true)) {
      assertThat(desk.serve("/lost")).contains("logged=failed");
      assertThat(desk.serve("/thrown")).doesNotContain("logged");
    }
  }

  @Test
  void refusedErrorPageKeepsTheOriginalError() throws Exception {
    try (WovenDesk desk = weave(false, true)) {
      assertThat(desk.serve("/thrown", "ERROR"))
          .contains("status=200", "thrown=This node does not lead");
      assertThat(desk.serve("/lost", "ERROR")).contains("status=200", "thrown=failed");
    }
  }

  @Test
  void clientsAreRedirectedWhileTheResponseCanBeChanged() throws Exception {
    try (WovenDesk desk = weave(true, true)) {
      for (String path : List.of("/thrown", "/lost", "/status", "/shielded")) {
        assertThat(desk.serve(path)).contains("status=307", "Location=http://b.test:8080" + path);
      }
      assertThat(desk.serve("/sent")).contains("status=503", "Retry-After=7");
    }
  }
}
