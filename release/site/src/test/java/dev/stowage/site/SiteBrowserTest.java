package dev.stowage.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;

/** The built site in a headless Chromium, opened as files: barriers, narrow windows, the search. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SiteBrowserTest {

  private static final Path SITE = Path.of(System.getProperty("stowage.root"), "release/site/target/site");
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path CHROMEDRIVER = Path.of("/usr/bin/chromedriver");

  /** Pages with all kinds of content. */
  private static final List<String> PAGES =
      List.of(
          "index.html",
          "commands.html",
          "docs/allocator.html",
          "docs/benchmarks/pools.html",
          "docs/formats.html",
          "docs/pages.html",
          "examples/index.html",
          "examples/pages.html",
          "javadoc/index.html");

  private ChromeDriver driver;

  @BeforeAll
  void start() {
    assumeTrue(
        Files.isExecutable(CHROMIUM) && Files.isExecutable(CHROMEDRIVER),
        "needs a browser (Debian's chromium and chromium-driver)");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run");
    System.setProperty("webdriver.chrome.driver", CHROMEDRIVER.toString());
    driver = new ChromeDriver(options);
    driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
  }

  @AfterAll
  void stop() {
    if (driver != null) {
      driver.quit();
    }
  }

  private void open(String page) {
    driver.get(SITE.resolve(page).toUri().toString());
  }

  private void resize(int width) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 1000, "deviceScaleFactor", 1, "mobile", false));
  }

  private void search(String words) {
    driver.findElement(By.id("words")).clear();
    driver.findElement(By.id("words")).sendKeys(words);
  }

  @ParameterizedTest
  @CsvSource({"1400, light", "400, dark"})
  void pages_inAnyWindow_haveNoBarriersAndNoSidewaysScroll(int width, String colours)
      throws IOException {
    resize(width);
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
    for (String page : PAGES) {
      open(page);
      if (page.equals("index.html")) {
        search("capacity");
      }

      assertThat(findings()).as(page).isEmpty();
      assertThat(driver.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
          .as(page)
          .isEqualTo(true);
    }
  }

  private String findings() throws IOException {
    try (InputStream axe = getClass().getClassLoader().getResourceAsStream("axe.min.js")) {
      driver.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
    }
    return String.valueOf(
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ["violations"] }).then(
              ({ violations }) => done(violations
                .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" and ")}`)
                .join("\\n")),
              (error) => done("failed: " + error));
            """));
  }

  /** Questions of a newcomer. The answer is on one of the first three pages. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          how to install                | docs/install.html#installing-the-command
          exit codes                    | docs/formats.html#exit-codes
          default alignment             | commands.html#stowage-plan
          record PyTorch trace          | docs/replay.html#recording-a-trace
          MemoryPool.closeWithin        | javadoc/memory/dev.stowage.memory/dev/stowage/memory/pool/MemoryPool.html#closeWithin(java.time.Duration)
          micrometer metrics            | docs/observability.html#metrics-with-micrometer
          front cache                   | docs/allocator.html#a-front-cache
          sweep directory of models     | docs/fleet.html#sweeps-thousands-of-models-and-traces
          kubernetes memory limit       | docs/budget.html#step-1-a-limit
          JDK version supported         | docs/compatibility.html#supported-versions-of-java
          --node-limit                  | commands.html#stowage-plan
          """)
  void search_wordsOfAQuestion_findsTheAnswer(String words, String answer) {
    resize(1400);
    open("docs/plan.html");

    search(words);

    List<String> links =
        driver.findElements(By.cssSelector("#results a")).stream()
            .limit(3)
            .map(link -> String.valueOf(link.getDomAttribute("href")))
            .toList();
    assertThat(links).contains("../" + answer);
  }

  @Test
  void search_noWordOfTheSite_saysSo() {
    open("index.html");

    search("xylophone");

    assertThat(driver.findElement(By.id("results")).getText())
        .isEqualTo("Nothing contains these words.");
  }
}
