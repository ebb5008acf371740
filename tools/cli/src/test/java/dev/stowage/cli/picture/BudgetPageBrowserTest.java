package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of {@code stowage budget} in a browser. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BudgetPageBrowserTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";

  private Path folder;

  @RegisterExtension final Browser browser = new Browser();

  private Path range;

  @BeforeAll
  void writeRange(@TempDir Path temporary) {
    folder = temporary;
    range =
        page(
            "range.html",
            MODEL,
            "--dim",
            "batch=1..64",
            "--jvm-heap",
            "64MiB",
            "--limit",
            "120MiB");
  }

  private Path page(String name, Object... arguments) {
    Path page = folder.resolve(name);
    Object[] all = new Object[arguments.length + 3];
    all[0] = "budget";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--output";
    all[arguments.length + 2] = page;
    CommandRun run = CommandRun.of(all);
    assertThat(run.err()).contains("wrote " + page + "\n");
    return page;
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void page_anyColours_hasNoFindings(String colourScheme) throws Exception {
    browser.prefer(colourScheme);
    browser.open(range, "", "document.querySelector('.plot') !== null");
    browser.run(Browser.axe());

    String findings =
        browser.runAsync(
            """
            document.querySelectorAll("details").forEach((details) => { details.open = true; });
            const { violations } = await axe.run(document, { resultTypes: ["violations"] });
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" and ")}`).join("\\n");
            """);

    assertThat(findings).isEmpty();
    browser.assertNothingWentWrong();
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 1280, 3840})
  void page_anyWidth_fitsTheWindow(int width) {
    browser.resize(width, 1000);
    browser.open(range, "", "document.querySelector('.plot') !== null");

    assertThat(
            browser.run(
                "return String(document.documentElement.scrollWidth - document.documentElement.clientWidth)"))
        .isEqualTo("0");
    // The last bar ends at the right edge, also with its borders.
    assertThat(
            browser.run(
                """
                const bar = [...document.querySelectorAll(".part-bar")].at(-1);
                const end = [...bar.querySelectorAll("i")].at(-1).getBoundingClientRect().right;
                return String(Math.abs(end - bar.getBoundingClientRect().right) < 2);
                """))
        .isEqualTo("true");
    browser.resize(1280, 1200);
  }

  @Test
  void page_withoutScripts_hasTheBarsAndTables() {
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try {
      browser.open(range, "", "document.querySelector('.part-bar') !== null");
      assertThat(browser.run("return document.body.innerText"))
          .contains("limit to set", "weights and session", "batch=64", "does not fit");
    } finally {
      browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
  }
}
