package dev.stowage.testing.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.interactions.WheelInput;
import org.openqa.selenium.logging.LogEntry;

/**
 * A tab of a headless Chromium that shows one page at a time. A test class registers it as an
 * extension, with one instance for all of its tests; they are skipped without a browser.
 */
public class Browser implements BeforeAllCallback, AfterAllCallback {

  private static final Optional<Path> CHROMIUM =
      find("chromium", "chromium-browser", "google-chrome");
  private static final Optional<Path> CHROMEDRIVER = find("chromedriver");

  /**
   * The browser of all test classes in this process. Starting one takes as long as several tests.
   */
  private static final class Chromium {

    static final ChromeDriver DRIVER = start();

    /** The tab that stays open, because a browser without a tab ends. */
    static final String FIRST_TAB = DRIVER.getWindowHandle();

    private static ChromeDriver start() {
      ChromeOptions options = new ChromeOptions();
      options.setBinary(CHROMIUM.orElseThrow().toFile());
      options.addArguments(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run",
          "--window-size=1280,1200");
      options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL", "performance", "ALL"));
      // Uses a property, because javac warns of missing annotations of the builder.
      System.setProperty("webdriver.chrome.driver", CHROMEDRIVER.orElseThrow().toString());
      ChromeDriver driver = new ChromeDriver(options);
      driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(20));
      Runtime.getRuntime().addShutdownHook(new Thread(driver::quit));
      return driver;
    }
  }

  private Optional<ChromeDriver> tab = Optional.empty();

  /** Creates a tab that is not open yet. */
  public Browser() {}

  private ChromeDriver driver() {
    return tab.orElseThrow();
  }

  /** Opens the tab with the size, media and touch of a new browser. */
  @Override
  public void beforeAll(ExtensionContext context) {
    assumeTrue(
        CHROMIUM.isPresent() && CHROMEDRIVER.isPresent(),
        "needs a browser (Debian's chromium and chromium-driver)");
    Chromium.DRIVER.switchTo().newWindow(WindowType.TAB);
    tab = Optional.of(Chromium.DRIVER);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    tab.ifPresent(driver -> {
      driver.close();
      driver.switchTo().window(Chromium.FIRST_TAB);
    });
  }

  private static Optional<Path> find(String... names) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    List<String> folders =
        Stream.concat(Stream.of("/usr/bin"), Stream.of(path.split(File.pathSeparator))).toList();
    return Stream.of(names)
        .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens a page and clears the log. */
  public void open(Path page) {
    log("browser");
    log("performance");
    driver().get(page.toUri().toString());
    until("document.querySelector('#map canvas') !== null");
  }

  /** Opens a page with a fragment, waits for a condition, and clears the log. */
  public void open(Path page, String fragment, String condition) {
    log("browser");
    log("performance");
    driver().get("about:blank"); // otherwise, only the fragment could change
    driver().get(page.toUri() + fragment);
    until(condition);
  }

  /** Clicks the first element of a selector. */
  public void clickOn(String selector) {
    driver().findElement(By.cssSelector(selector)).click();
  }

  public void prefer(String colourScheme) {
    driver()
        .executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", colourScheme))));
  }

  /** Sets the size of the window. */
  public void resize(int width, int height) {
    driver()
        .executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    until("innerWidth === " + width + " && innerHeight === " + height);
  }

  /** Opens an empty page. */
  public void clear() {
    driver().get("about:blank");
  }

  /** Sends a command of the DevTools protocol. */
  public void send(String command, Map<String, Object> parameters) {
    driver().executeCdpCommand(command, parameters);
  }

  /** Presses the mouse at a point, moves it to another one, and releases it there. */
  public void drag(Point from, Point to) {
    new Actions(driver())
        .moveToLocation(from.x(), from.y())
        .clickAndHold()
        .moveToLocation((from.x() + to.x()) / 2, (from.y() + to.y()) / 2)
        .moveToLocation(to.x(), to.y())
        .release()
        .perform();
  }

  public void click(Point point) {
    new Actions(driver()).moveToLocation(point.x(), point.y()).click().perform();
  }

  /** Turns the wheel while keys are held: 2 is Ctrl, 8 is Shift. */
  public void turnWheelAt(Point point, int pixels, int modifiers) {
    send(
        "Input.dispatchMouseEvent",
        Map.of(
            "type",
            "mouseWheel",
            "x",
            point.x(),
            "y",
            point.y(),
            "deltaX",
            0,
            "deltaY",
            pixels,
            "modifiers",
            modifiers));
  }

  public void moveMouseTo(Point point) {
    new Actions(driver()).moveToLocation(point.x(), point.y()).perform();
  }

  public void turnWheelAt(Point point, int pixels) {
    var origin = WheelInput.ScrollOrigin.fromViewport(point.x(), point.y());
    new Actions(driver()).scrollFromOrigin(origin, 0, pixels).perform();
  }

  public void press(CharSequence... keys) {
    driver().findElement(By.id("map")).sendKeys(keys);
  }

  /** Presses a key where the focus is. */
  public void pressActive(CharSequence keys) {
    driver().switchTo().activeElement().sendKeys(keys);
  }

  /** Presses Tab, wherever the focus is. */
  public void pressTab() {
    new Actions(driver()).sendKeys(Keys.TAB).perform();
  }

  public void select(String option) {
    driver().findElement(By.xpath("//select/option[starts-with(., '" + option + "')]")).click();
  }

  /** Shows a range of steps and units of bytes. */
  public void show(double left, double right, double bottom, double top) {
    run(
        """
        const { model, store } = document.getElementById('map').explorer;
        const [left, right, bottom, top] = arguments;
        const { bytes } = model.unit;
        store.set({ range: { left, right, bottom: bottom * bytes, top: top * bytes } });
        """,
        left,
        right,
        bottom,
        top);
  }

  /** {@return the picture of an element as PNG} */
  public byte[] picture(String selector) {
    return driver().findElement(By.cssSelector(selector)).getScreenshotAs(OutputType.BYTES);
  }

  public String text(String id) {
    return driver().findElement(By.id(id)).getText();
  }

  /** Waits until a condition of the page is true, and checks it at each frame. */
  public void until(String condition) {
    driver()
        .executeAsyncScript(
            "const done = arguments[0];"
                + "const look = () => (%s) ? done(true) : requestAnimationFrame(look);"
                    .formatted(condition)
                + "look();");
  }

  /** {@return the result of a script that returns a promise, as text} */
  public String runAsync(String script, Object... arguments) {
    return String.valueOf(
        driver()
            .executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                    + "(async (...arguments_) => {"
                    + script
                    + "})(...arguments).then(done, (error) => done('failed: ' + error));",
                arguments));
  }

  /** {@return the result of a script as text} */
  public String run(String script, Object... arguments) {
    return String.valueOf(driver().executeScript(script, arguments));
  }

  /** {@return the point of the window at which the map shows a step and a number of units} */
  public Point pointOf(double step, double units) {
    return pointOf(step, units, 0);
  }

  /**
   * {@return the point of the window at which the map (0) or the curves below it (1) show a step
   * and a number of units}
   */
  public Point pointOf(double step, double units, int grid) {
    String at =
        run(
            """
            const map = document.getElementById('map');
            const { model, view } = map.explorer;
            view.flush();
            const { x, y, strip } = view.layout();
            const [step, units, grid] = arguments;
            const most = grid === 0 ? 0 : model.strip.most * 1.08 || 1;
            const up = grid === 0
                ? y(units * model.unit.bytes)
                : strip.y + strip.height - (units * model.unit.bytes / most) * strip.height;
            const box = map.getBoundingClientRect();
            return Math.round(box.left + x(step)) + ' ' + Math.round(box.top + up);
            """,
            step,
            units,
            grid);
    String[] xy = at.split(" ", 2);
    return new Point(Integer.parseInt(xy[0]), Integer.parseInt(xy[1]));
  }

  /** {@return the colour of a point, such as {@code 255,255,255,255}} */
  public String colourAt(Point point) {
    return run("return " + colourScript(point));
  }

  /** Waits until a point has another colour. */
  public void untilColourChanges(Point point, String colour) {
    until(colourScript(point) + " !== '" + colour + "'");
  }

  private static String colourScript(Point point) {
    return """
    (() => {
      const map = document.getElementById('map');
      map.explorer.view.flush();
      const box = map.getBoundingClientRect();
      const ratio = devicePixelRatio;
      const context = map.querySelector('canvas').getContext('2d');
      return context.getImageData((%s - box.left) * ratio, (%s - box.top) * ratio, 1, 1).data.join(',');
    })()
    """
        .strip()
        .formatted(point.x(), point.y());
  }

  /** {@return the log since the last call or since the page was opened} */
  public List<String> log(String type) {
    return driver().manage().logs().get(type).getAll().stream().map(LogEntry::toString).toList();
  }

  public void assertNothingWentWrong() {
    assertThat(log("browser")).noneMatch(entry -> entry.contains("[SEVERE]"));
    List<String> requests =
        log("performance").stream()
            .filter(event -> event.contains("Network.requestWillBeSent\""))
            .toList();
    assertThat(requests).anyMatch(event -> event.contains("\"url\":\"file:"));
    assertThat(requests).noneMatch(event -> event.contains("\"url\":\"http"));
  }

  /** A point of the window, in pixels. */
  public record Point(int x, int y) {}

  /** {@return the script that finds barriers in pages} */
  public static String axe() throws IOException {
    try (InputStream in = Browser.class.getClassLoader().getResourceAsStream("axe.min.js")) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
