package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of pages in windows of all sizes, in both colour schemes, and for screen readers. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AllPagesBrowserTest {

  private static final List<Integer> WIDTHS = List.of(800, 1500, 2560, 3840);

  /** Returns the elements whose text is cut off, or that are wider than the window. */
  private static final String CUT_OFF =
      """
      const found = [];
      if (document.documentElement.scrollWidth > innerWidth) {
        found.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
      }
      for (const each of document.querySelectorAll("body *:not(script, template, option)")) {
        const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
        if (!hasText || each.closest("svg, #said, [hidden]") || each.getClientRects().length === 0) {
          continue;
        }
        const { overflowX } = getComputedStyle(each);
        const box = each.getBoundingClientRect();
        const scrolls = each.closest(".wide");
        if ((overflowX === "hidden" && each.scrollWidth > each.clientWidth + 1) || (box.right > innerWidth + 1 && !scrolls)) {
          found.push(each.outerHTML.slice(0, 200));
        }
      }
      return found.join("\\n");
      """;

  private static final String AXE =
      """
      document.querySelectorAll("details").forEach((details) => { details.open = true; });
      const { violations } = await axe.run(document, { resultTypes: ["violations"] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" and ")}`).join("\\n");
      """;

  private static final String DUMPS = "tools/cli/src/test/resources/dev/stowage/cli/";

  @TempDir private Path folder;

  @RegisterExtension final Browser browser = new Browser();

  /** Opens each tab at several moments, and clicks holes, links and rows that it has. */
  private static final String USE =
      """
      const explorer = document.getElementById("map")?.explorer;
      const click = (selector) => document.querySelector(selector)?.click();
      const tabs = [...document.querySelectorAll("[role=tab]")];
      for (let moment = 1; explorer && moment <= 64; moment *= 2) {
        explorer.store.set({ moment });
        for (const tab of tabs) {
          tab.click();
          click("#panel button[data-low]");
          click("#panel .reasons button");
          click("#panel tbody tr");
        }
      }
      return String(tabs.length);
      """;

  private static final List<String> COMMANDS =
      List.of(
          "plan examples/deeplab_v3.tflite --explain",
          "plan examples/tflm/detector.tflite --runtime tflm",
          "plan examples/mobilenet_v2.tflite examples/puzzle.csv examples/attention.json",
          "plan examples/attention.json --alignment 64 --buckets 3",
          "plan examples/jax",
          "replay examples/attention.pickle --explain",
          "replay examples/state.pickle",
          "replay examples/oom.pickle --explain --allow-failures",
          "replay examples/attention.pickle --allocator bfc --limit 3400MiB --explain --allow-failures",
          "replay examples/training.csv examples/jax/job.log --allow-failures",
          "replay examples/training.csv examples/attention.pickle --settings  --settings"
              + " expandable_segments:True",
          "diff examples/attention.pickle examples/attention.pickle",
          "diff examples/training.csv examples/attention.pickle",
          "diff examples/mobilenet_v1.tflite examples/mobilenet_v2.tflite --io",
          "budget examples/tiny_cnn.onnx --dim batch=1..64 --limit 128MiB --fit batch",
          "who " + DUMPS + "who-last.txt",
          "who " + DUMPS + "who-first.txt " + DUMPS + "who-last.txt");

  static List<String> commands() {
    return COMMANDS;
  }

  private Path pageOf(String command) {
    Path page = folder.resolve("page.html");
    List<Object> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--output", page));
    CommandRun run = CommandRun.of(arguments.toArray());
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return page;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void page_withAllPanelsInUse_hasNoErrors(String command) throws IOException {
    Path page = pageOf(command);
    open(page);
    browser.until(
        "!document.getElementById('tabs')"
            + " || document.getElementById('map').explorer !== undefined");
    browser.run(USE);
    browser.assertNothingWentWrong();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void page_inAnyWindow_isCompleteAndAccessible(String command) throws IOException {
    Path page = pageOf(command);

    for (int width : WIDTHS) {
      browser.resize(width, 1000);
      open(page);
      assertThat(browser.run(CUT_OFF)).as("%s pixels", width).isEmpty();
    }
    for (String scheme : List.of("dark", "light")) {
      browser.prefer(scheme);
      open(page);
      browser.run(Browser.axe());
      assertThat(browser.runAsync(AXE)).as(scheme).isEmpty();
      browser.assertNothingWentWrong();
    }
  }

  private void open(Path page) {
    browser.open(page, "", "document.documentElement.classList.contains('scripted')");
  }
}
