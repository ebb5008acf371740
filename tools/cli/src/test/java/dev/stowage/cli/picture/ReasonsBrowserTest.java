package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.cli.CommandRun;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.replay.RequestFailure;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.RunFacts;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The panel "Reasons": holes and chunks at failed requests, and the tensors of an explanation. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReasonsBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  @BeforeAll
  void prepare() {
    browser.prefer("light");
  }

  private void open(ReplayPicture picture) throws IOException {
    browser.open(picture, folder);
    browser.run("document.getElementById('tab-reasons').click()");
  }

  private void open(PlanPicture picture) throws IOException {
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

  static LongStream seeds() {
    return Seeds.of(5);
  }

  private ReplayReport replayed(BfcOptions options, String events) throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\n" + events);
    return new ReplayRunner(
            TraceOptions.strict(), ReplayedAllocator.bfc("", options), false, true, false)
        .explaining(OptionalLong.empty())
        .run(trace.toString());
  }

  private static ReplayPicture picture(ReplayReport report) {
    return new ReplayPicture("t", "a", report.result(), report.details().history().orElseThrow());
  }

  private static String json(ReplayReport report) throws IOException {
    StringWriter out = new StringWriter();
    new AnswerPrinter(AnswerPrinter.Format.JSON, 80).print(ReplayAnswer.of(report), out);
    return out.toString();
  }

  private static String randomEvents(Random random) {
    StringBuilder events = new StringBuilder();
    List<String> live = new ArrayList<>();
    int mostUnits = 2 + random.nextInt(30);
    for (int i = 0; i < 80; i++) {
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        String freed = live.remove(random.nextInt(live.size()));
        events.append("f,").append(freed).append(",,,\n");
      } else {
        live.add(String.valueOf(i));
        events.append("a,").append(i).append(',').append(1 + random.nextInt(256 * mostUnits));
        events.append(",0,\n");
      }
    }
    return events.toString();
  }

  private static BfcOptions randomOptions(Random random) {
    long limit = 256L * (8 + random.nextInt(120));
    return switch (random.nextInt(3)) {
      case 0 -> BfcOptions.oneRegion(limit);
      case 1 -> BfcOptions.growing().withFirstRegion(1024).withLimit(limit).withGarbageCollection();
      default -> BfcOptions.expandable().withTrimThreshold(1).withLimit(limit);
    };
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyTrace_holes_agreeWithTheModel(long seed) throws IOException {
    Random random = new Random(seed);
    ReplayReport report = replayed(randomOptions(random), randomEvents(random));
    NaiveHoles naive = new NaiveHoles(report.details().history().orElseThrow());
    open(picture(report));

    for (int event = 1; event <= 80; event++) {
      assertThat(holesOf(event)).as("event %d", event).isEqualTo(naive.holes(event));
    }
    for (RequestFailure failure : report.details().history().orElseThrow().failures()) {
      int event = (int) failure.event();
      String fewest = Long.toString(naive.fewestBytes(event, failure.request().bytes()));
      assertThat(
              browser.run(
                  """
                  const { fewest, single } =
                      document.getElementById('map').explorer.model.inTheWay(...arguments);
                  return `${fewest?.freed ?? 0}: ${single.map(({ freed }) => freed).join(' ')}`;
                  """,
                  event,
                  failure.request().bytes(),
                  failure.request().stream()))
          .as("event %d", event)
          .isEqualTo(fewest + ": " + naive.singleChunks(event, failure.request().bytes()));
    }
    assertThat(differences(json(report))).isEqualTo("[]");
    browser.assertNothingWentWrong();
  }

  private String holesOf(int event) {
    return browser.run(
        """
        const { model } = document.getElementById('map').explorer;
        const { holes, isExact } = model.memoryAt(arguments[0]);
        const text = (hole) => {
          const { region, low, bytes, below, above } = hole;
          const since = model.freeSince(hole, arguments[0]);
          return [region.index, low - region.base, bytes, since, below, above].join(' ');
        };
        return isExact ? holes.map(text).join('\\n') : 'not exact';
        """,
        event);
  }

  /** {@return the differences between the page and the explanation of a report} */
  private String differences(String json) {
    return browser.run(
        """
        const { model } = document.getElementById('map').explorer;
        const { worst_failure: failure, pinned_regions: pins, pinned_region_count: count, event } =
            JSON.parse(arguments[0]).explanation;
        const differences = [];
        const compare = (mine, theirs) => {
          if (JSON.stringify(mine) !== JSON.stringify(theirs)) {
            differences.push([mine, theirs]);
          }
        };
        const chunk = (i) => (i < 0 ? null : [model.first[i], model.bytes[i]]);
        const owner = (it) => (it ? [it.event, it.bytes] : null);
        if (failure) {
          const { holes } = model.memoryAt(failure.event);
          compare(holes.length, failure.hole_count);
          compare(holes.reduce((sum, hole) => sum + hole.bytes, 0), failure.free_bytes);
          compare(
              holes.slice(0, failure.holes.length).map((hole) =>
                  [hole.region.index, hole.low - hole.region.base, hole.bytes, hole.owner, chunk(hole.below), chunk(hole.above)]),
              failure.holes.map((hole) =>
                  [hole.region, hole.offset, hole.bytes, hole.owner, owner(hole.below), owner(hole.above)]));
        }
        const all = model.pinsAt(event);
        compare(all.length, count);
        compare(
            all.slice(0, pins.length).map(({ region, bytes, free, chunks }) =>
                [region.index, bytes, free, chunks.length, chunks.slice(0, 3).map((i) => model.bytes[i])]),
            pins.map((pin) => [pin.region, pin.bytes, pin.free_bytes, pin.blocks, pin.largest.map((it) => it.bytes)]));
        return JSON.stringify(differences);
        """,
        json);
  }

  @Test
  void request_chosen_setsTheMomentAndListsTheChunksInTheWay() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    click("event 4: 2.000 MiB on stream 4");

    assertThat(browser.run("return document.getElementById('map').explorer.store.get().moment"))
        .isEqualTo("4");
    assertThat(panel().lines().filter(line -> !line.isBlank()))
        .containsSubsequence(
            "Holes after event 4",
            "1,048,576 bytes (1.000 MiB) free in 1 hole, the largest:",
            "1.000 MiB at offset 0 B of region 0, free since event 3",
            "The request needs 2,097,152 bytes (2.000 MiB) in one piece.",
            "Chunks between holes: without them, the request fits",
            "Each of these chunks alone:",
            "3.000 MiB of event 2, forward at /a/very/long/path/to/model.py:12",
            "leaves 4.000 MiB free in one piece",
            "Regions that chunks keep from being released",
            "region 0 of 4.000 MiB: 1,048,576 bytes (1.000 MiB) are free, 1 chunk in use");
    click("Show these chunks");
    assertThat(
            browser.run(
                "return document.getElementById('map').explorer.store.get().matches.join()"))
        .isEqualTo("0,1,0");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.assertNothingWentWrong();
  }

  @Test
  void requests_moreThan200_areShownOnDemand() throws IOException {
    StringBuilder failing = new StringBuilder();
    for (int i = 0; i < 450; i++) {
      failing.append("a,").append(i).append(",2048,,\n");
    }
    open(ReplaySamples.of(folder, BfcOptions.oneRegion(1024), failing.toString()));
    assertThat(panel()).contains("event 200: ").doesNotContain("event 201: ");
    click("250 more");
    click("50 more");
    assertThat(panel()).contains("event 450: 2.000 KiB on stream 0, '449'");
    browser.assertNothingWentWrong();
  }

  /** At the peak of this model, tasks differ in their tensors. */
  @Test
  void peak_ofAnExplainedPlan_hasTheNextLowerOneOfTheExplanation() {
    Path page = folder.resolve("explained.html");
    CommandRun run =
        CommandRun.of(
            "plan",
            "examples/tiny_cnn.onnx",
            "--dim",
            "batch=1",
            "--explain",
            "--format",
            "json",
            "--output",
            page);
    JsonNode explanation = new JsonMapper().readTree(run.out()).get("explanation");
    JsonNode next = explanation.get("next_peak");
    assertThat(explanation.get("next_peak_without").stringValue()).isEqualTo("records");
    browser.open(page);
    assertThat(browser.run("return document.getElementById('peak').title"))
        .startsWith(
            "Peak 98,304 (96.000 KiB) at operators 3 to 5; without the tensors in Reasons "
                + ByteUnit.exact(next.get("bytes").longValue()).replace(" bytes", "")
                + " at operators "
                + next.get("tasks").get(0).get(0)
                + " to "
                + next.get("tasks").get(0).get(1)
                + "; without all that are live there 49,152 ");
    browser.assertNothingWentWrong();
  }

  /** {@return the colours of some pixels to the right of a point, as the lines are dashed} */
  private List<String> coloursBeside(Browser.Point point) {
    return IntStream.range(0, 5)
        .mapToObj(dx -> browser.colourAt(new Browser.Point(point.x() + dx, point.y())))
        .toList();
  }

  @Test
  void plan_explained_highlightsTheConflictAndDrawsTheCapacity() throws IOException {
    PlanPicture chain = Samples.chain();
    PlanPicture explained =
        new PlanPicture(
                chain.title(),
                chain.tasks(),
                chain.labels(),
                chain.problem(),
                chain.plans(),
                chain.bestIndex(),
                List.of(2, 1),
                RunFacts.none())
            .withRun(
                RunFacts.none()
                    .withReasons(List.of("Why not 2 bytes: <b>\u202E" + "x".repeat(10_000)))
                    .withCapacity(OptionalLong.of(2 << 20)));
    open(chain);
    String line = browser.colourAt(browser.pointOf(2.5, 2));
    open(explained);
    assertThat(coloursBeside(browser.pointOf(2.5, 2))).anyMatch(colour -> !colour.equals(line));
    assertThat(panel())
        .startsWith("Why not 2 bytes: <b>")
        .contains("2 tensors, 4,194,305 bytes (4.000 MiB)")
        .contains("3.000 MiB: add");
    click("Show these tensors");
    assertThat(
            browser.run(
                "return document.getElementById('map').explorer.store.get().matches.join()"))
        .isEqualTo("0,1,1");
    click("3.000 MiB: add");
    assertThat(browser.run("return document.getElementById('map').explorer.store.get().pinned"))
        .isEqualTo("1");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.assertNothingWentWrong();
  }

  @Test
  void plan_withoutAnExplanation_listsTheTensorsAtThePeak() throws IOException {
    open(Samples.chain());
    assertThat(panel()).contains("Tensors at the peak").contains("3.000 MiB: add");
    browser.assertNothingWentWrong();
  }
}
