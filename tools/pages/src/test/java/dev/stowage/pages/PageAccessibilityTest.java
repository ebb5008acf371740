package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages against the rules of axe-core, with each of their panels. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PageAccessibilityTest {

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void planPage_anyPanel_hasNoFindings(String colourScheme) throws IOException {
    Path file = folder.resolve("plan.html");
    assertNoFindings(PageBrowser.write(new PlanMap(Samples.withObjects()), file), colourScheme);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void replayPage_anyPanel_hasNoFindings(String colourScheme) throws IOException {
    Path file = folder.resolve("replay.html");
    assertNoFindings(PageBrowser.write(ReplaySamples.oneRegion(folder), file), colourScheme);
  }

  private void assertNoFindings(Path page, String colourScheme) throws IOException {
    browser.prefer(colourScheme);
    browser.open(page);
    browser.run(Browser.axe());
    String findings =
        browser.runAsync(
            """
            const { store } = document.getElementById("map").explorer;
            document.querySelectorAll("details").forEach((details) => { details.open = true; });
            store.set({ pinned: 0, hovered: 0, pointer: [100, 100] });
            const found = [];
            for (const tab of document.querySelectorAll("#tabs button")) {
              tab.click();
              const { violations } = await axe.run(document, { resultTypes: ["violations"] });
              for (const { id, nodes } of violations) {
                found.push(`${tab.textContent}: ${id}: ${nodes.map(({ html }) => html).join(" and ")}`);
              }
            }
            return found.join("\\n");
            """);
    assertThat(findings).isEmpty();
  }
}
