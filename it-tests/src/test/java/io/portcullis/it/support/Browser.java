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

/** A real browser without a window. Where the machine has none, the test is skipped and says so. */
public final class Browser implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Opens one that keeps its files in this folder. */
  public static Browser open(Path folder) throws IOException {
    Optional<Path> chromium = BROWSERS.stream().flatMap(Browser::onPath).findFirst();
    Optional<Path> chromedriver = onPath("chromedriver").findFirst();
    Assumptions.assumeTrue(
        chromium.isPresent() && chromedriver.isPresent(),
        "The status page was not tried: this machine has no Chromium with chromedriver (Debian:"
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

  /** Opens this address, on a screen of this width. */
  public void show(String url, int width) {
    driver.manage().window().setSize(new Dimension(width, 900));
    driver.get(url);
  }

  /** Whether the person prefers the dark. */
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

  /** All that a person can read on the page. */
  public String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** The text of all elements that this selector finds; empty if the page was just redrawn. */
  public List<String> texts(String selector) {
    return strings(
        "return Array.from(document.querySelectorAll(arguments[0]), e => e.innerText)", selector);
  }

  private List<String> strings(String script, String selector) {
    Object found = driver.executeScript(script, selector);
    return found instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  /** What a script on the page says. */
  public Object evaluate(String script) {
    return Objects.requireNonNull(driver.executeScript(script), script);
  }

  /** What the page complained of, such as something that it was not allowed to load or run. */
  public List<String> consoleMessages() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Takes a picture of what is to be seen. */
  public void takeScreenshot(Path file) throws IOException {
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
