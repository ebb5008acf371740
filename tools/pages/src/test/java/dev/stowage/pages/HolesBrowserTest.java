package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The panel "Holes", and the parts of reserved memory. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HolesBrowserTest {

  private static final String STORE = "document.getElementById('map').explorer.store";

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @BeforeAll
  void prepare() {
    browser.prefer("light");
  }

  static LongStream seeds() {
    return Seeds.of(5);
  }

  private List<String> panel() {
    return browser
        .run("return document.getElementById('panel').innerText.toWellFormed()")
        .lines()
        .filter(line -> !line.isBlank())
        .toList();
  }

  private String state(String name) {
    return browser.run("return " + STORE + ".get()." + name);
  }

  @Test
  void hole_clickedOnTheMap_showsItsPlaceAndItsPins() throws IOException {
    browser.open(ReplaySamples.oneRegion(folder), folder);
    browser.click(browser.pointOf(4.5, 0.5));
    assertThat(state("panel")).isEqualTo("holes");
    assertThat(panel())
        .containsSubsequence(
            "Hole of 1.000 MiB after event 4",
            "holes: pinned by chunks in use.",
            "1 chunk in use, the nearest first",
            "3.000 MiB since event 2, forward at /a/very/long/path/to/model.py:12",
            "After event 4",
            "4.000 MiB reserved for 2.500 MiB requested:",
            "holes",
            "1.000 MiB",
            "25.0 %",
            "unsplit rests",
            "512.000 KiB",
            "12.5 %",
            "1,048,576 bytes (1.000 MiB) free in 1 hole of 1 region."
                + " Choose one to see the chunks that pin it.");

    click("3.000 MiB since event 2");
    assertThat(state("pinned")).isEqualTo("1");
    assertThat(state("hole")).isEqualTo("0");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.click(browser.pointOf(2.5, 3.5));
    assertThat(state("hole")).isEqualTo("-1");
    browser.assertNothingWentWrong();
  }

  private void click(String text) {
    browser.run(
        "[...document.querySelectorAll('#panel button')]"
            + ".find((button) => button.textContent.startsWith(arguments[0])).click()",
        text);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 800, 1500, 2560, 3840})
  void panel_inAnyWindow_cutsNothingOff(int width) throws IOException {
    browser.resize(width, 1000);
    browser.open(ReplaySamples.oneRegion(folder), folder);
    browser.run(STORE + ".set({ hole: 0, moment: 4, panel: 'holes' })");
    assertThat(panel()).contains("Hole of 1.000 MiB after event 4");
    assertThat(
            browser.run(
                "const panel = document.getElementById('panel');"
                    + "const { scrollWidth: wide } = document.documentElement;"
                    + "return [panel.scrollWidth > panel.clientWidth, wide > innerWidth].join()"))
        .isEqualTo("false,false");
    browser.resize(1500, 1000);
  }

  @Test
  void hole_chosenByKeys_listsAllPins() throws IOException {
    browser.open(
        ReplaySamples.of(
            folder,
            BfcOptions.growing().withFirstRegion(2048),
            "a,a,1024,,\na,b,256,,\na,c,256,,\nf,a,,,\nf,b,,,\nf,c,,,\n"),
        folder);
    browser.run(
        STORE
            + ".set({ panel: 'holes', moment: 4 });"
            + "document.querySelector('#panel .reasons button').focus()");
    browser.pressActive(Keys.ENTER);
    assertThat(state("hole")).isEqualTo("0");
    assertThat(panel())
        .containsSubsequence(
            "Hole of 1.000 KiB after event 4",
            "2 chunks in use, the nearest first",
            "256 B since event 2, (no stack)",
            "256 B since event 3, (no stack)");
    browser.run(STORE + ".set({ moment: 6 })");
    assertThat(panel()).contains("kept segments: kept for later requests.");
    browser.assertNothingWentWrong();
  }

  private static List<AllocationEvent> randomEvents(Random random) {
    List<AllocationEvent> events = new ArrayList<>();
    List<String> live = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      int stream = random.nextInt(8) / 6;
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        String freed = live.remove(random.nextInt(live.size()));
        events.add(new AllocationEvent.Free(freed, stream, 0));
      } else {
        live.add(String.valueOf(i));
        long bytes = 1 + random.nextLong(1L << random.nextLong(25));
        events.add(new AllocationEvent.Allocate(live.getLast(), bytes, stream, 0, List.of()));
      }
    }
    return events;
  }

  /** The holes, from the chunks of the page, have the bytes of the allocator's parts. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void kinds_ofAnyHoles_addUpToTheParts(long seed) throws IOException {
    Random random = new Random(seed);
    for (AllocatorRules rules :
        List.of(
            AllocatorRules.bfc(BfcOptions.growing()),
            AllocatorRules.rmm(0, OptionalLong.empty()),
            PytorchRules.asRecorded())) {
      HistoryRecorder recorder = new HistoryRecorder();
      TraceReplay replay = new TraceReplay(rules, recorder);
      EventConsumer events = recorder.recording(replay);
      randomEvents(random).forEach(events::accept);
      browser.open(new ReplayMap(recorder.history()), folder);
      assertThat(
              browser.run(
                  """
                  const { model } = document.getElementById('map').explorer;
                  const { parts } = model.data;
                  const differences = [];
                  parts.event.forEach((event, i) => {
                    const { holes } = model.memoryAt(event);
                    for (const id of ['holes', 'kept_segments', 'other_streams', 'private_pools']) {
                      const own = holes.filter((hole) => model.kindOfHole(hole, parts.stream[i]) === id);
                      const sum = own.reduce((all, { bytes }) => all + bytes, 0);
                      if (sum !== parts[id][i]) {
                        differences.push([event, id, sum, parts[id][i]].join(' '));
                      }
                    }
                  });
                  return differences.join(', ');
                  """))
          .as(rules.toString())
          .isEmpty();
    }
    browser.assertNothingWentWrong();
  }
}
