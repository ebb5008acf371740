package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

@Tag("full")
final class ShapesPageBrowserTest {

  @RegisterExtension static final Browser browser = new Browser();

  @TempDir private Path folder;

  @Test
  void keys_onTheChart_stepThroughTheShapes() throws IOException {
    Path problem =
        Files.writeString(
            folder.resolve("p.json"),
            """
            {"dimensions": {"batch": [1, 3]},
             "records": [{"size": "1024*batch", "first_task": 0, "last_task": 1},
                         {"size": 2048, "first_task": 1, "last_task": 2}]}
            """);
    Path page = folder.resolve("p.html");
    CommandRun.of("plan", problem, "--output", page);
    browser.open(page);
    browser.press(Keys.ARROW_RIGHT);
    assertThat(browser.text("hover").lines())
        .containsExactly(
            "batch=1",
            "One layout",
            "3,072 (3.000 KiB), +0.0 %",
            "Plan for the maximum",
            "5,120 (5.000 KiB), +66.7 %",
            "Best plan",
            "3,072 (3.000 KiB), +0.0 %");
    browser.press(Keys.END);
    browser.press(Keys.ARROW_RIGHT);
    browser.press("+");
    assertThat(browser.text("hover")).startsWith("batch=2");
    browser.press(Keys.ESCAPE);
    assertThat(browser.text("hover")).isEmpty();
    browser.assertNothingWentWrong();
  }

  @Test
  void chart_ofAWideRange_hasALogarithmicAxis() {
    Path page = folder.resolve("p.html");
    CommandRun.of("plan", "examples/attention.json", "--output", page);
    browser.open(page);
    browser.press(Keys.ARROW_RIGHT);
    assertThat(browser.text("hover")).startsWith("batch=1, seq=1");
    browser.assertNothingWentWrong();
  }
}
