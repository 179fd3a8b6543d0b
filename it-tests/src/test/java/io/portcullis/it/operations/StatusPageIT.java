package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Browser;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class StatusPageIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int DESKTOP_WIDTH = 1200;
  private static final int PHONE_WIDTH = 500;
  private static final String HOSTILE = "http://x/<img src=1 onerror=document.title=1>";

  private static final String WATCHED =
      "{ id = watched, match = \"com.acme.ledger.Ledger#append(..)\", mode = observe }";

  @RegisterExtension static final TestEnvironment STAGE = TestEnvironment.shared();

  private static Browser browser;
  private static ServiceJvm leader;
  private static ServiceJvm standby;

  @BeforeAll
  static void startNodes() throws IOException {
    browser = STAGE.opened(Browser.open(STAGE.folder("browser")));
    RedisServer redis = STAGE.redis();
    Path journal = STAGE.folder("journal").resolve("journal.log");
    leader =
        STAGE.start(
            "a",
            JvmLauncher.demoService("a", journal)
                .conf(
                    AgentConf.ledger(redis.uri(), LEASE)
                        .rule("{ id = typo, match = \"com.acme.ledger.Ledger#apend(..)\" }")
                        .rule(WATCHED)
                        .set("node.advertise", "\"" + HOSTILE + "\"")));
    leader.awaitRole("LEADER");
    standby =
        STAGE.start(
            "b", JvmLauncher.demoService("b", journal).conf(AgentConf.ledger(redis.uri(), LEASE)));
    standby.awaitRole("STANDBY");
    standby.awaitLog("new leader");
  }

  @Test
  void statusPageShowsRoleEpochRulesAndHistory() throws IOException, InterruptedException {
    leader.write();
    browser.show(leader.agentUrl() + "/", DESKTOP_WIDTH);

    browser.awaitText("ledger", "LEADER", "became leader", "append", "ARMED", "redis", "live");
    assertThat(browser.text())
        .contains("com.acme.ledger.Ledger#append(..)")
        .contains(Long.toString(leader.status().epoch()));
    assertThat(browser.consoleMessages()).isEmpty();
  }

  @Test
  void rulesThatRefuseNothingDoNotLookArmed() throws IOException, InterruptedException {
    leader.write();
    browser.show(leader.agentUrl() + "/", DESKTOP_WIDTH);

    browser.awaitText("mode enforce", "Rules that gate nothing", "NO_METHOD", "OBSERVED");
    assertThat(browser.texts("#unarmed tr"))
        .singleElement()
        .asString()
        .startsWith("typo")
        .doesNotContain("ARMED");
    assertThat(browser.texts("#rules tr[data-rule=watched] .pill")).containsExactly("OBSERVED");
    assertThat(browser.texts("#rules tr[data-rule=append] .pill")).containsExactly("ARMED");
  }

  @Test
  void historyShowsWhoLedInTheLastHour() throws IOException, InterruptedException {
    browser.show(standby.agentUrl() + "/", DESKTOP_WIDTH);

    browser.awaitText("Who led in the last hour", "nobody leads");
    String summary =
        String.valueOf(
            browser.evaluate("return document.querySelector('.track').getAttribute('aria-label')"));
    assertThat(summary).startsWith("writer: a for ");
    Object width =
        browser.evaluate("return document.querySelector('.track i').getBoundingClientRect().width");
    assertThat(((Number) width).doubleValue()).isPositive();
  }

  @Test
  void leaseBarFallsAndRefillsWithoutPageReload() {
    browser.show(leader.agentUrl() + "/", DESKTOP_WIDTH);
    browser.awaitText("LEADER");

    Set<Long> seen = new HashSet<>();
    boolean[] rose = {false};
    long[] last = {0};
    Awaitility.await("the bar falls and rises")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              Object now =
                  browser.evaluate("return document.querySelector('[role=meter]').ariaValueNow");
              long left = Long.parseLong(String.valueOf(now));
              rose[0] |= left > last[0] + 100 && !seen.isEmpty();
              last[0] = left;
              seen.add(left);
              return rose[0] && seen.size() > 5;
            });
    assertThat(seen).allMatch(left -> left <= LEASE.toMillis());
  }

  @Test
  void standbyPageEscapesTheLeaderName() throws IOException, InterruptedException {
    browser.show(standby.agentUrl() + "/", DESKTOP_WIDTH);

    browser.awaitText("STANDBY", "new leader", HOSTILE);
    assertThat(browser.text()).contains(leader.status().json().path("node").asText());
    assertThat(browser.texts("img")).isEmpty();
    assertThat(browser.consoleMessages()).isEmpty();
  }

  @Test
  void statusPageFitsAPhoneScreen() {
    browser.show(standby.agentUrl() + "/", PHONE_WIDTH);
    browser.awaitText("STANDBY");

    assertThat(browser.evaluate("return document.documentElement.scrollWidth <= window.innerWidth"))
        .isEqualTo(true);
    browser.show(leader.agentUrl() + "/", PHONE_WIDTH);
    browser.awaitText("LEADER", "typo");
    assertThat(browser.evaluate("return document.documentElement.scrollWidth <= window.innerWidth"))
        .isEqualTo(true);
  }

  @Test
  void pageSupportsDarkAndLightColorSchemes() {
    browser.show(standby.agentUrl() + "/", DESKTOP_WIDTH);
    browser.awaitText("STANDBY");
    browser.emulateColorScheme("light");
    Object light = browser.evaluate("return getComputedStyle(document.body).backgroundColor");
    browser.emulateColorScheme("dark");
    Object dark = browser.evaluate("return getComputedStyle(document.body).backgroundColor");

    assertThat(dark).isNotEqualTo(light);
  }

  @Test
  void statusPageMarksDataOfAnEndedNodeAsOutdated() throws IOException, InterruptedException {
    ServiceJvm third =
        STAGE.start(
            "c",
            JvmLauncher.demoService("c", STAGE.folder("third").resolve("journal.log"))
                .conf(AgentConf.ledger(STAGE.redis().uri(), LEASE)));
    browser.show(third.agentUrl() + "/", DESKTOP_WIDTH);
    browser.awaitText("live", "ledger");

    third.kill();

    browser.awaitText("no response", "The data below is outdated");
  }
}
