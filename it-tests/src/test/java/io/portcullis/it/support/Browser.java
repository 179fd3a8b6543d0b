package io.portcullis.it.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** A real headless browser. If the machine has none, the test is skipped with a message. */
public final class Browser implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts a browser that keeps its files in this folder. */
  public static Browser open(Path folder) throws IOException {
    Optional<Path> chromium = BROWSERS.stream().flatMap(Browser::onPath).findFirst();
    Optional<Path> chromedriver = onPath("chromedriver").findFirst();
    Assumptions.assumeTrue(
        chromium.isPresent() && chromedriver.isPresent(),
        "status page not tested: this machine has no Chromium with chromedriver (Debian:"
            + " chromium, chromium-driver).");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.orElseThrow().toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + Files.createTempDirectory(folder, "browser-"));
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.orElseThrow().toFile())
            .usingAnyFreePort()
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static Stream<Path> onPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable);
  }

  /** Opens this address with this viewport width, and forgets messages of the page before. */
  public void show(String url, int width) {
    driver.manage().window().setSize(new Dimension(width, 900));
    driver.get("about:blank");
    consoleMessages();
    driver.get(url);
  }

  /** Sets the preferred color scheme. */
  public void emulateColorScheme(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Waits until the page's visible text contains all of these. */
  public void awaitText(String... parts) {
    Awaitility.await("the page shows " + String.join(", ", parts))
        .atMost(TIMEOUT)
        .until(this::text, text -> Stream.of(parts).allMatch(text::contains));
  }

  /** The visible text of the page. */
  public String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** The text of all elements that match this selector; empty if the page was just redrawn. */
  public List<String> texts(String selector) {
    return strings(
        "return Array.from(document.querySelectorAll(arguments[0]), e => e.innerText)", selector);
  }

  private List<String> strings(String script, String selector) {
    Object found = driver.executeScript(script, selector);
    return found instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  /** The result of a script on the page. */
  public Object evaluate(String script) {
    return Objects.requireNonNull(driver.executeScript(script), script);
  }

  /** The console's messages, such as blocked loads or scripts. */
  public List<String> consoleMessages() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Takes a screenshot. */
  public void takeScreenshot(Path file) throws IOException {
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
