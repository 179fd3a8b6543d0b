package io.portcullis.it.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestAppCompiler.ServletApi;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the response to a client after a refusal in a servlet or filter, in Tomcat 9 and 10. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ServletIT {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final String MAIN = "com.acme.web.WebService";
  private static final String WRITES = "{ id = book, match = \"com.acme.web.Book#write()\" }";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @ParameterizedTest
  @EnumSource
  void refusalBecomes503UnlessResponseIsCommitted(ServletApi api)
      throws IOException, InterruptedException {
    AppHttpClient web =
        standby(api, standby("[ { set = servlet-503, retry-after = 7s } ]").rule(WRITES));

    assert503(web.post("/book/plain"));
    assert503(web.post("/book/wrapped"));
    assert503(web.post("/book/half-done"));
    assert503(web.post("/bare"));
    assert503(web.post("/audited/plain"));
    assert503(web.post("/book/unexplained"));
    assertThat(assertRetried(web.post("/book/reported")))
        .as("the error page for the status that the application did not set")
        .isEqualTo("sorry");
    assertThat(assertRetried(web.post("/book/answered")))
        .as("the application's own response, committed by itself")
        .isEqualTo("failed");
    assertThat(web.get("/book/plain").body()).isEqualTo("read");
    assertThat(web.post("/book/broken").statusCode())
        .as("the application's own error, whose error page is refused")
        .isEqualTo(500);
    assertThatThrownBy(() -> web.post("/book/committed"))
        .as("client already has a 200, and the response is cut off")
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void httpWritesRefusesRequestsThatWrite(ServletApi api) throws IOException, InterruptedException {
    AppHttpClient web = standby(api, standby("[ { set = http-writes, retry-after = 7s } ]"));

    assert503(web.post("/book/plain"));
    assert503(web.send("/book/plain", "PUT", ""));
    assert503(web.send("/book/plain", "DELETE", ""));
    assertThat(assertRetried(web.post("/resource"))).isEqualTo("failed");
    assertThat(web.get("/book/writes").body()).isEqualTo("0");
    assertThat(web.get("/book/plain").body()).isEqualTo("read");
    assertThat(web.get("/resource").body()).isEqualTo("read");
    assertThat(web.post("/bare").body())
        .as("no HttpServlet, so its methods are unknown")
        .isEqualTo("written");
  }

  @ParameterizedTest
  @EnumSource
  void refusedClientIsRedirectedToTheLeader(ServletApi api)
      throws IOException, InterruptedException {
    JvmLauncher[] launches = {launch(api), launch(api)};
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .rule(WRITES)
            .set("rule-sets", "[ { set = servlet-503, redirect = true } ]")
            .set("service", "web-" + api);
    LeaderStandbyPair pair =
        LeaderStandbyPair.start(
            stage,
            name ->
                launches[name.equals("a") ? 0 : 1]
                    .conf(conf)
                    .env("PORTCULLIS__node__advertise", "http://" + name + ".test:8080"));

    HttpResponse<String> taken = new AppHttpClient(pair.leader().serviceUrl()).post("/book/plain");
    HttpResponse<String> sent =
        new AppHttpClient(pair.standby().serviceUrl()).post("/book/plain?x=%20y");

    assertThat(taken.statusCode()).isEqualTo(200);
    assertThat(taken.body()).isEqualTo("written");
    assertThat(sent.statusCode()).isEqualTo(307);
    assertThat(sent.headers().firstValue("Location"))
        .contains("http://" + pair.leader().name() + ".test:8080/book/plain?x=%20y");
    assertThat(sent.headers().firstValue("X-Portcullis-Leader").orElse(""))
        .startsWith(pair.leader().name() + "-");
  }

  private static void assert503(HttpResponse<String> response) {
    assertThat(assertRetried(response)).isEmpty();
  }

  /** Returns the body. */
  private static String assertRetried(HttpResponse<String> response) {
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).contains("7");
    return response.body();
  }

  private static AgentConf standby(String ruleSets) {
    return AgentConf.redis("redis://127.0.0.1:1", LEASE)
        .set("mode", "off")
        .set("when-off", "standby")
        .set("rule-sets", ruleSets);
  }

  private AppHttpClient standby(ServletApi api, AgentConf conf) throws IOException {
    return new AppHttpClient(stage.start("standby", launch(api).conf(conf)).serviceUrl());
  }

  private JvmLauncher launch(ServletApi api) throws IOException {
    Path[] classPath = TestAppCompiler.servlets(api, stage.folder("servlets"));
    return JvmLauncher.application(MAIN, classPath);
  }
}
