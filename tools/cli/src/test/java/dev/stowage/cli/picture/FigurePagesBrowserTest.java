package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The pages of {@code stowage tune} and {@code stowage who} in a browser. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FigurePagesBrowserTest {

  private static final String DUMP = "tools/cli/src/test/resources/dev/stowage/cli/who-last.txt";

  @TempDir private Path folder;

  @RegisterExtension final Browser browser = new Browser();

  private Path page(Object... command) {
    Path page = folder.resolve("page.html");
    Object[] all = new Object[command.length + 2];
    System.arraycopy(command, 0, all, 0, command.length);
    all[command.length] = "--output";
    all[command.length + 1] = page;
    assertThat(CommandRun.of(all).err()).endsWith("wrote " + page + "\n");
    return page;
  }

  @Test
  void who_withoutScripts_hasTheAnswerTheBarAndTheTables() {
    Path page = page("who", DUMP);
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try {
      browser.open(page, "", "document.querySelector('.part-bar') !== null");
      assertThat(browser.run("return document.body.innerText"))
          .contains(
              "C heap (90.0\u00a0MiB)", "who 7 --trim", "limit 256.000 MiB", "resident", "100.0 %");
    } finally {
      browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
  }
}
