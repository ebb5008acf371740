package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of docs/pages.md: their commands, the sentences that the guide quotes, and the
 * pictures, which {@code -Dgolden.update=true} writes.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PagesGuideTest {

  private static final Path GUIDE = Path.of("docs/pages.md");
  private static final String MODEL = "document.getElementById('map').explorer.model";
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ \\./stowage (.*)$");
  private static final Pattern PICTURE = Pattern.compile("src=\"pages/(\\w+)\\.png\"");

  @TempDir private Path folder;

  @RegisterExtension final Browser browser = new Browser();

  @Test
  void plan_inTheGuide_isAsQuotedAndDrawn() throws IOException {
    String section = section("A plan");
    open(section);
    // Pins the first tensor of the peak.
    assertQuotes(section, "pinned: model.names.indexOf('expanded_conv_14/expand')");
    picture("plan", "pinned: -1, panel: 'moment'");
    assertThat(pictures(section)).containsExactly("plan");
    browser.assertNothingWentWrong();
  }

  @Test
  void holes_inTheGuide_areAsQuotedAndDrawn() throws IOException {
    String section = section("Reserved and not requested");
    open(section);
    String pinned = "hole: model.memoryAt(model.peaks[0][0]).holes[0].low".replace("model", MODEL);
    assertQuotes(section, pinned);
    picture("holes", pinned + ", panel: 'holes'");
    assertThat(pictures(section)).containsExactly("holes");
    browser.assertNothingWentWrong();
  }

  @Test
  void replay_inTheGuide_isAsQuotedAndDrawn() throws IOException {
    String section = section("A request that fails");
    open(section);
    assertQuotes(section, "group: 'line'");
    picture("reasons", "panel: 'reasons', moment: " + MODEL + ".failures[0]");
    assertThat(pictures(section)).containsExactly("reasons");
    browser.assertNothingWentWrong();
  }

  private static String section(String title) throws IOException {
    String guide = Files.readString(GUIDE);
    int start = guide.indexOf("\n## " + title + "\n");
    return guide.substring(start, guide.indexOf("\n## ", start + 1));
  }

  private static List<String> pictures(String section) {
    return PICTURE.matcher(section).results().map(picture -> picture.group(1)).toList();
  }

  private void open(String section) {
    browser.open(page(section));
  }

  /** Runs the command of a section and {@return its page} */
  private Path page(String section) {
    String command =
        COMMAND.matcher(section).results().map(line -> line.group(1)).findFirst().orElseThrow();
    List<Object> words = new ArrayList<>(List.of((Object[]) command.split(" ", -1)));
    Path page = folder.resolve(String.valueOf(words.getLast()));
    words.set(words.size() - 1, page);
    CommandRun run = CommandRun.of(words.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return page;
  }

  /** Compares the quotes of a section with the texts of all panels. */
  private void assertQuotes(String section, String state) {
    String texts =
        browser.run(
            """
            const { store, model } = document.getElementById('map').explorer;
            store.set({ %s });
            return [...document.querySelectorAll('#tabs button')].map((tab) => {
              tab.click();
              return document.getElementById('panel').innerText;
            }).join(' ');
            """
                .formatted(state));
    List<String> quotes =
        section
            .lines()
            .filter(line -> line.startsWith("> "))
            .map(line -> line.substring(2))
            .toList();
    assertThat(quotes).isNotEmpty();
    assertThat(texts.replaceAll("\\s+", " ")).contains(quotes);
  }

  private void picture(String name, String state) throws IOException {
    browser.run("document.getElementById('map').explorer.store.set({ " + state + " });");
    browser.until("document.getElementById('map').explorer.store.get().panel !== undefined");
    pictures(name, "#explorer");
  }

  /** Writes the pictures of an element, light and dark. */
  private void pictures(String name, String selector) throws IOException {
    write(name, selector);
    browser.prefer("dark");
    write(name + "-dark", selector);
    browser.prefer("light");
  }

  private void write(String name, String selector) throws IOException {
    byte[] png = browser.picture(selector);
    int width = ByteBuffer.wrap(png).getInt(16); // behind the signature and the name of the header
    assertThat(width).isGreaterThan(1000);
    Path file = Path.of("docs/pages", name + ".png");
    if (Boolean.getBoolean("golden.update")) {
      Files.write(file, png);
    }
    assertThat(file).isNotEmptyFile();
  }
}
