package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.StepCurve;
import dev.stowage.testing.Seeds;
import dev.stowage.testing.browser.Browser;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.PytorchSettings;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** The panel "Holes", the areas of the parts of reserved memory, and the map by what pins holes. */
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
  void hole_clickedOnTheMap_showsItsPinsAndTheRequestsItWouldHaveServed() throws IOException {
    browser.open(ReplaySamples.oneRegion(folder), folder);
    browser.click(browser.pointOf(4.5, 0.5));
    assertThat(state("panel")).isEqualTo("holes");
    assertThat(panel())
        .containsSubsequence(
            "Hole of 1.000 MiB after event 4",
            "holes: 1 chunk in use keeps it from being released.",
            "free since",
            "event 3",
            "Chunks in use that pin it, the neighbours first",
            "above: 3.000 MiB since event 2, forward at /a/very/long/path/to/model.py:12",
            "stack of 3 frames",
            "Requests that it would have served",
            "Requests while it is free, from event 3 to event 5, for which the allocator reserved more"
                + " memory, or which failed, and that are not larger than the hole or its region:",
            "They fit into region 0, if its chunks were elsewhere",
            "event 4: 2.000 MiB, stream 4, forward at /a/very/long/path/to/model.py:12: failed",
            "After event 4",
            "4.000 MiB reserved for 2.500 MiB requested:",
            "holes",
            "1.000 MiB",
            "25.0 %",
            "unsplit rests",
            "512.000 KiB",
            "12.5 %",
            "region 0: 1.000 MiB of 4.000 MiB free, 1 chunk in use");

    browser.run(
        "[...document.querySelectorAll('#panel .link')].find(link =>"
            + " link.textContent.startsWith('3.000 MiB')).click()");
    assertThat(state("pinned")).isEqualTo("1");
    assertThat(state("hole")).isEqualTo("0");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.click(browser.pointOf(2.5, 3.5));
    assertThat(state("hole")).isEqualTo("-1");
    browser.assertNothingWentWrong();
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
  void hole_chosenByKeys_isTheSameAsInTheAddress() throws IOException {
    browser.open(
        ReplaySamples.of(
            folder,
            BfcOptions.growing().withFirstRegion(2048),
            "a,a,1024,,\na,b,256,,\na,c,256,,\nf,a,,,\n"),
        folder);
    browser.run(
        STORE
            + ".set({ panel: 'holes', moment: 4 });"
            + "document.querySelector('#panel .region-bar button').focus()");
    browser.pressActive(Keys.ENTER);
    assertThat(state("hole")).isEqualTo("0");
    assertThat(panel())
        .containsSubsequence(
            "Hole of 1.000 KiB after event 4",
            "holes: 2 chunks in use keep it from being released.",
            "above: 256 B since event 2, (no stack)",
            "256 B since event 3, (no stack)")
        .contains(
            "Requests while it is free, from event 4 to the end, for which the allocator reserved more"
                + " memory, or which failed, and that are not larger than the hole or its region:"
                + " none.");
    assertThat(browser.run("return document.activeElement.textContent"))
        .isEqualTo("Hole of 1.000 KiB after event 4");
    browser.until("location.hash.includes('hole=0')");
    browser.run(STORE + ".set({ moment: 1 })");
    assertThat(panel()).contains("At this moment, these bytes are in use or not reserved.");
    browser.assertNothingWentWrong();
  }

  @Test
  void requests_thatReserveMoreMemory_areThoseOfTheHole() throws IOException {
    // The hole of a has 1 KiB. d needs a region of its own, and so does e, which fits into neither.
    browser.open(
        ReplaySamples.of(
            folder,
            BfcOptions.growing().withFirstRegion(2048),
            "a,a,1024,,\na,b,1024,,\nf,a,,,\na,d,1280,,\na,e,9999,,\nf,b,,,\n"),
        folder);
    browser.run(STORE + ".set({ panel: 'holes', moment: 3 })");
    assertThat(panel())
        .contains("The most are reserved after event 5: 22.000 KiB. Go to this event");
    browser.click(browser.pointOf(5.5, 0.5));
    assertThat(panel())
        .noneMatch(line -> line.startsWith("The most are"))
        .contains("They fit into region 0, if its chunks were elsewhere", "event 4: 1.250 KiB")
        .noneMatch(line -> line.startsWith("event 5: "));
    browser.run(STORE + ".set({ moment: 6 })");
    assertThat(panel())
        .contains(
            "kept segments: No chunk in use pins it: the allocator could release it, and keeps it for"
                + " later requests.");
    browser.assertNothingWentWrong();
  }

  @Test
  void map_colouredByPins_distinguishesHolesAndKeptRegions() throws IOException {
    browser.open(
        ReplaySamples.of(
            folder,
            BfcOptions.growing().withFirstRegion(2048),
            "a,a,1024,,\na,b,1024,,\nf,a,,,\nf,b,,,\na,c,256,,\n"),
        folder);
    String free = browser.colourAt(browser.pointOf(3.5, 0.53));
    browser.select("what pins the holes");
    List<String> hole = coloursAround(browser.pointOf(3.5, 0.53));
    List<String> kept = coloursAround(browser.pointOf(4.5, 0.53));
    assertThat(hole).isNotEqualTo(kept).doesNotContain(free).hasSize(2);
    assertThat(kept).doesNotContain(free).hasSize(2);
    assertThat(browser.run("return document.getElementById('free-key').hidden")).isEqualTo("true");
    // The areas of the strip have the same patterns.
    assertThat(coloursAround(browser.pointOf(3.5, 1.5, 1))).isEqualTo(hole);
    assertThat(coloursAround(browser.pointOf(4.5, 1.5, 1))).isEqualTo(kept);
    assertThat(coloursAround(browser.pointOf(3.5, 0.5, 1))).hasSize(1).doesNotContain(free);
    browser.assertNothingWentWrong();
  }

  /** {@return the colours of a pattern around a point} */
  private List<String> coloursAround(Browser.Point point) {
    List<String> colours = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < 8; k++) {
        colours.add(browser.colourAt(new Browser.Point(point.x() + i, point.y() + k)));
      }
    }
    return colours.stream().distinct().sorted().toList();
  }

  @Test
  void parts_ofManyEvents_nameTheEventOfTheirColumn() throws IOException {
    browser.open(ReplaySamples.random(folder, 20_000), folder);
    assertThat(browser.run("return document.getElementById('notes').textContent"))
        .contains(
            "The parts of the reserved memory are those of the event with the most reserved bytes of"
                + " each 4 events.");
    String event =
        browser.run(
            "const { parts } = document.getElementById('map').explorer.model.data;"
                + "const i = parts.event.findIndex((event, at) => event > parts.first[at]);"
                + STORE
                + ".set({ panel: 'holes', moment: parts.first[i] }); return parts.event[i];");
    String note = String.format(Locale.ROOT, "Parts after event %,d,", Integer.parseInt(event));
    assertThat(panel()).anyMatch(line -> line.startsWith(note));
    browser.run(
        "[...document.querySelectorAll('#panel button')].find(button =>"
            + " button.textContent === 'Go to this event').click()");
    assertThat(state("moment")).isEqualTo(event);
    assertThat(panel()).noneMatch(line -> line.startsWith("Parts after event"));
    browser.assertNothingWentWrong();
  }

  private static List<AllocationEvent> randomEvents(Random random, long mostBytes) {
    List<AllocationEvent> events = new ArrayList<>();
    List<String> live = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      int stream = random.nextInt(8) / 6;
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        String freed = live.remove(random.nextInt(live.size()));
        events.add(new AllocationEvent.Free(freed, stream, 0));
      } else {
        live.add(String.valueOf(i));
        long bytes = 1 + random.nextLong(1L << random.nextLong(mostBytes));
        events.add(new AllocationEvent.Allocate(live.getLast(), bytes, stream, 0, List.of()));
      }
    }
    return events;
  }

  /** The pieces of holes, from the chunks of the page, have the bytes of the allocator's parts. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void pieces_ofAnyHoles_addUpToTheParts(long seed) throws IOException {
    Random random = new Random(seed);
    PytorchRules pytorch = PytorchRules.asRecorded();
    for (AllocatorRules rules :
        List.of(
            AllocatorRules.bfc(BfcOptions.growing()),
            AllocatorRules.rmm(0, OptionalLong.empty()),
            pytorch,
            pytorch.withSettings(PytorchSettings.defaults().withExpandable(true)))) {
      HistoryRecorder recorder = new HistoryRecorder();
      TraceReplay replay = new TraceReplay(rules, recorder);
      EventConsumer events = recorder.recording(replay);
      randomEvents(random, 25).forEach(events::accept);
      browser.open(new ReplayPicture("t", "a", replay.result(), recorder.history()), folder);
      assertThat(
              browser.run(
                  """
                  const { model } = document.getElementById('map').explorer;
                  const { parts } = model.data;
                  const ids = ['holes', 'kept_segments', 'other_streams', 'private_pools'];
                  const differences = [];
                  let exact = 0;
                  parts.event.forEach((event, i) => {
                    const { holes, isExact } = model.memoryAt(event);
                    const sums = Object.fromEntries(ids.map((id) => [id, 0]));
                    holes.flatMap((hole) => model.piecesOf(hole, event)).forEach(({ id, low, high }) => {
                      sums[id] += high - low;
                    });
                    if (isExact || arguments[0]) {
                      exact++;
                      ids.filter((id) => sums[id] !== parts[id][i])
                          .forEach((id) => differences.push([event, id, sums[id], parts[id][i]].join(' ')));
                    }
                  });
                  return exact < 100 ? `only ${exact} are exact` : differences.join(', ');
                  """,
                  true))
          .as(rules.toString())
          .isEmpty();
    }
    browser.assertNothingWentWrong();
  }

  /** The requests that a hole would have served, from the definition, event by event. */
  private record NaiveServed(ReplayHistory history) {

    private long sizeAt(PlacedChunk chunk, long event) {
      return sizeAt(chunk.regionIndex(), event);
    }

    private long sizeAt(int region, long event) {
      StepCurve bytes =
          history.regions().stream()
              .filter(each -> each.index() == region)
              .findFirst()
              .orElseThrow()
              .bytes();
      long size = 0;
      for (int step = 0; step < bytes.stepCount() && bytes.event(step) <= event; step++) {
        size = bytes.most(step);
      }
      return size;
    }

    private boolean isFree(int region, long low, long high, long event) {
      return sizeAt(region, event) >= high
          && history.drawn().chunks().stream()
              .noneMatch(chunk ->
                  chunk.regionIndex() == region
                      && chunk.firstEvent() <= event
                      && event < chunk.endEvent()
                      && overlaps(chunk, low, high));
    }

    private static boolean overlaps(PlacedChunk chunk, long low, long high) {
      return chunk.offset() < high && chunk.offset() + chunk.chunkBytes() > low;
    }

    /**
     * {@return the events of requests that fit into the hole, and of those that fit without pins}
     */
    String served(int region, long low, long high, long event) {
      long since = event;
      while (since > 1 && isFree(region, low, high, since - 1)) {
        since--;
      }
      long until = event;
      while (until <= history.events().count() && isFree(region, low, high, until)) {
        until++;
      }
      List<Long> fitting = new ArrayList<>();
      List<Long> freed = new ArrayList<>();
      for (long at = since + 1; at <= until; at++) {
        long now = at;
        boolean isLast = at == until;
        List<Long> requests = new ArrayList<>();
        history.drawn().chunks().stream()
            .filter(chunk -> chunk.firstEvent() == now)
            .filter(chunk -> sizeAt(chunk, now) > sizeAt(chunk, now - 1))
            .filter(
                chunk -> !isLast || chunk.regionIndex() != region || !overlaps(chunk, low, high))
            .forEach(chunk -> requests.add(chunk.request().bytes()));
        history.failures().stream()
            .filter(failure -> failure.event() == now)
            .forEach(failure -> requests.add(failure.request().bytes()));
        for (long bytes : requests) {
          long needed = (bytes + 255) / 256 * 256;
          if (needed <= high - low) {
            fitting.add(at);
          } else if (needed <= sizeAt(region, event)) {
            freed.add(at);
          }
        }
      }
      return fitting + " " + freed;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void requests_ofAnyHole_areThoseOfTheDefinition(long seed) throws IOException {
    Random random = new Random(seed);
    BfcOptions options =
        BfcOptions.growing().withFirstRegion(2048).withLimit(256L * (100 + random.nextInt(200)));
    HistoryRecorder recorder = new HistoryRecorder();
    TraceReplay replay = new TraceReplay(AllocatorRules.bfc(options), recorder);
    EventConsumer events = recorder.recording(replay);
    randomEvents(random, 14).forEach(events::accept);
    ReplayHistory history = recorder.history();
    browser.open(new ReplayPicture("t", "a", replay.result(), history), folder);
    NaiveServed naive = new NaiveServed(history);
    for (int event = 1; event <= history.events().count(); event += 1 + random.nextInt(4)) {
      String[] holes =
          browser
              .run(
                  """
                  const { model } = document.getElementById('map').explorer;
                  return model.memoryAt(arguments[0]).holes.map((hole) => {
                    const { fitting, freed } = model.servedBy(hole, arguments[0]);
                    const { region: { index, base }, low, high } = hole;
                    const events = (list) => `[${list.map((request) => request.event).join(', ')}]`;
                    return `${index} ${low - base} ${high - base}: ${events(fitting)} ${events(freed)}`;
                  }).join('; ');
                  """,
                  event)
              .split("; ", -1);
      for (String hole : holes) {
        if (!hole.isEmpty()) {
          String[] parts = hole.split(": ", 2);
          String[] place = parts[0].split(" ", -1);
          String expected =
              naive.served(
                  Integer.parseInt(place[0]),
                  Long.parseLong(place[1]),
                  Long.parseLong(place[2]),
                  event);
          assertThat(parts[1]).as("event %d, hole %s", event, parts[0]).isEqualTo(expected);
        }
      }
    }
    browser.assertNothingWentWrong();
  }
}
