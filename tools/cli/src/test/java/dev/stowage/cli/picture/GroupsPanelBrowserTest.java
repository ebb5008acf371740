package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.cli.SnapshotPickle;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.testing.browser.Browser;
import dev.stowage.testing.browser.PanelTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The groups of a page, compared with {@code replay --explain --format json}. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GroupsPanelBrowserTest {

  private static final long MIB = 1 << 20;

  @TempDir static Path folder;

  @RegisterExtension final Browser browser = new Browser();
  private final PanelTable table = new PanelTable(browser);
  private Path trace;
  private Path page;

  @BeforeAll
  void start() throws IOException {
    trace = snapshot();
    page = folder.resolve("page.html");
    explanation();
  }

  /** Blocks of several lines, stacks and streams, some of which are older. */
  private static Path snapshot() throws IOException {
    Random random = new Random(1);
    SnapshotPickle snapshot = new SnapshotPickle().older(3 * MIB).older(MIB + 512);
    List<long[]> live = new ArrayList<>();
    long address = 1L << 40;
    for (int i = 0; i < 300; i++) {
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        long[] block = live.remove(random.nextInt(live.size()));
        snapshot.free(block[0], block[1]);
      } else {
        long bytes = 512L * (1 + random.nextInt(4096));
        List<String> frames = new ArrayList<>();
        for (int depth = random.nextInt(4); depth > 0; depth--) {
          frames.add("f%s at /a/b/<b>%s.py:%s".formatted(depth, random.nextInt(3), depth));
        }
        if (!frames.isEmpty()) {
          frames.addFirst("mul at /x/site-packages/torch/ops.py:7");
        }
        snapshot.alloc(address, bytes, random.nextInt(3), frames.toArray(String[]::new));
        live.add(new long[] {address, bytes});
        address += bytes;
      }
    }
    return snapshot.write(folder.resolve("t.pickle"));
  }

  /** Writes the page and {@return the explanation}. */
  private JsonNode explanation(Object... more) {
    List<Object> arguments =
        new ArrayList<>(
            List.of("replay", trace, "--explain", "--format", "json", "--output", page));
    arguments.addAll(List.of(more));
    CommandRun run = CommandRun.of(arguments.toArray());
    return new JsonMapper().readTree(run.out()).get("explanation");
  }

  private void choose(String grouping) {
    browser.run(
        """
        const select = document.getElementById('group');
        select.value = arguments[0];
        select.dispatchEvent(new Event('change'));
        """,
        grouping);
  }

  private static List<String> row(String key, JsonNode group) {
    return List.of(
        key.replace(" <- ", "\n"),
        ByteUnit.exact(group.get("bytes").longValue()),
        Numbers.percent(group.get("share").doubleValue()),
        group.get("blocks").asString());
  }

  private void assertGroups(JsonNode explanation, String grouping) {
    List<List<String>> expected = new ArrayList<>();
    if (!grouping.equals("stream")) {
      // The streams of older blocks are known, their stacks are not.
      expected.add(row("(older than the recording)", explanation.get("older")));
    }
    explanation
        .get("by_" + grouping)
        .forEach(group -> expected.add(row(group.get("key").stringValue(), group)));
    assertThat(table.rows()).as(grouping).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void groups_atThePeakAndElsewhere_haveTheFiguresOfTheExplanation() {
    browser.open(page);
    table.open("groups");
    for (String event : List.of("", "0", "17", "123", "300")) {
      JsonNode explanation = event.isEmpty() ? explanation() : explanation("--at", event);
      if (!event.isEmpty()) {
        browser.run(
            "document.getElementById('map').explorer.store.set({moment: Number(arguments[0])})",
            event);
      }
      for (String grouping : List.of("line", "stack", "stream")) {
        choose(grouping);
        assertGroups(explanation, grouping);
      }
    }
    browser.assertNothingWentWrong();
  }

  @Test
  void grouping_chosen_coloursTheMapAndAGroupDimsTheRest() {
    browser.open(page);
    table.open("groups");
    choose("line");
    browser.run("document.querySelectorAll('#panel tbody tr')[1].click()");
    String records =
        """
        const { model, store } = document.getElementById('map').explorer;
        const { matches } = store.get();
        const grouping = model.groupings.find(({ id }) => id === 'line');
        const keys = new Set();
        matches.forEach((match, i) => match && keys.add(grouping.keys[grouping.of[i]]));
        return [...keys].join();
        """;
    assertThat(browser.run(records)).isEqualTo(table.rows().get(1).getFirst());
    assertThat(table.marked("[aria-current]")).hasSize(1);
    browser.run("document.querySelectorAll('#panel tbody tr')[1].click()");
    assertThat(browser.run("return document.getElementById('map').explorer.store.get().matches"))
        .isEqualTo("null");
    assertThat(browser.run("return document.querySelectorAll('#panel b').length")).isEqualTo("0");
    browser.assertNothingWentWrong();
  }
}
