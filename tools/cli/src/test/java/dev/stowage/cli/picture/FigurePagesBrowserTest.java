package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The pages of {@code stowage tune} and {@code stowage who} in a browser. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FigurePagesBrowserTest {

  private static final String READY = "document.querySelector('table.sortable') !== null";

  private final Map<String, Path> pages = new TreeMap<>();

  @RegisterExtension final Browser browser = new Browser();

  private static String dump(int mebibytes, int seconds) {
    return """
    == status
    Name: java
    Pid: 7
    == time
    %d
    == smaps
    100000-200000 rw-p 0 00:00 0 [heap]
    Rss: %d kB
    200000-300000 r-xp 0 08:01 77 /usr/lib/a/long/path/of/a/library/with-a-long-name/libexample.so.1.2.3
    Rss: 9000 kB
    == System.native_heap_info
    <heap nr="0">
    <sizes><size from="8001" to="9000" total="%d" count="10"/></sizes>
    </heap>
    <total type="rest" count="1" size="%d"/>
    <total type="mmap" count="0" size="0"/>
    <system type="current" size="%d"/>
    == memory.max
    268435456
    == memory.current
    94371840
    """
        .formatted(
            1_700_000_000 + seconds,
            mebibytes << 10,
            (long) (mebibytes - 5) << 20,
            (long) (mebibytes - 5) << 20,
            (long) mebibytes << 20);
  }

  @BeforeAll
  void write(@TempDir Path folder) throws IOException {
    Path first = Files.writeString(folder.resolve("first.txt"), dump(40, 0));
    Path last = Files.writeString(folder.resolve("last.txt"), dump(90, 600));
    write("tune", folder, "tune", "examples/attention.pickle", "--limit", "3400MiB");
    write("netty", folder, "tune", "examples/netty.jfr");
    write("who", folder, "who", last);
    write("growth", folder, "who", first, last);
  }

  private void write(String name, Path folder, Object... command) {
    Path page = folder.resolve(name + ".html");
    Object[] all = new Object[command.length + 2];
    System.arraycopy(command, 0, all, 0, command.length);
    all[command.length] = "--output";
    all[command.length + 1] = page;
    assertThat(CommandRun.of(all).err()).endsWith("wrote " + page + "\n");
    pages.put(name, page);
  }

  private void open(String name) {
    browser.open(pages.get(name), "", READY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void pages_anyColours_haveNoFindings(String colourScheme) throws IOException {
    browser.prefer(colourScheme);
    for (String name : pages.keySet()) {
      open(name);
      browser.run(Browser.axe());
      String findings =
          browser.runAsync(
              """
              document.querySelectorAll("details").forEach((details) => { details.open = true; });
              const { violations } = await axe.run(document, { resultTypes: ["violations"] });
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" and ")}`).join("\\n");
              """);
      assertThat(findings).as(name).isEmpty();
      browser.assertNothingWentWrong();
    }
  }

  /** The tables are within the window, too, so that no text is cut off. */
  @ParameterizedTest
  @ValueSource(ints = {800, 1500, 2560, 3840})
  void pages_anyWidth_fitTheWindow(int width) {
    browser.resize(width, 1000);
    for (String name : pages.keySet()) {
      open(name);
      assertThat(
              browser.run(
                  """
                  const wide = [document.documentElement, ...document.querySelectorAll(".wide, pre")];
                  return wide.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.outerHTML.slice(0, 99)).join();
                  """))
          .as(name)
          .isEmpty();
    }
    browser.resize(1280, 1200);
  }

  @Test
  void tune_enterOnAPoint_choosesTheRowOfItsSettings() {
    open("tune");
    browser.run("document.querySelector('.scatter').focus()");
    browser.pressActive(Keys.ARROW_DOWN);
    browser.pressActive(Keys.ENTER);

    assertThat(browser.text("hover")).startsWith("max_split_size_mb:2048,expandable_segments:True");
    assertThat(browser.run("return document.querySelector('tr[aria-current]').innerText"))
        .startsWith("max_split_size_mb:2048,expandable_segments:True")
        .contains("and 29 settings with the same figures");
    browser.assertNothingWentWrong();
  }

  @Test
  void who_withoutScripts_hasTheAnswerTheBarAndTheTables() {
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try {
      browser.open(pages.get("who"), "", "document.querySelector('.part-bar') !== null");
      assertThat(browser.run("return document.body.innerText"))
          .contains("C heap: 90.0", "who 7 --trim", "limit 256.000 MiB", "resident", "100.0 %");
    } finally {
      browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
  }
}
