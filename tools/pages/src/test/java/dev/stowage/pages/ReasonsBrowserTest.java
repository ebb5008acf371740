package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The panel "Reasons": holes and chunks at failed requests, and the tensors of an explanation. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReasonsBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @BeforeAll
  void prepare() {
    browser.prefer("light");
  }

  private void open(ReplayMap picture) throws IOException {
    browser.open(picture, folder);
    browser.run("document.getElementById('tab-reasons').click()");
  }

  private String panel() {
    return browser.run("return document.getElementById('panel').innerText.toWellFormed()");
  }

  private void click(String text) {
    browser.run(
        "[...document.querySelectorAll('#panel button')]"
            + ".find(button => button.textContent.startsWith(arguments[0])).click()",
        text);
  }

  @Test
  void request_chosen_setsTheMoment() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    click("event 4: 2.000 MiB on stream 4, forward at /a/very/long/path/to/model.py:12");

    assertThat(browser.run("return document.getElementById('map').explorer.store.get().moment"))
        .isEqualTo("4");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.assertNothingWentWrong();
  }

  @Test
  void requests_moreThan200_areCounted() throws IOException {
    StringBuilder failing = new StringBuilder();
    for (int i = 0; i < 450; i++) {
      failing.append("a,").append(i).append(",2048,,\n");
    }
    open(ReplaySamples.of(folder, BfcOptions.oneRegion(1024), failing.toString()));
    assertThat(panel())
        .contains("event 200: 2.000 KiB on stream 0, '199'", "and 250 more")
        .doesNotContain("event 201: ");
    browser.assertNothingWentWrong();
  }
}
