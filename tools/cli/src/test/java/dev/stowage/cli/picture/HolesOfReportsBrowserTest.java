package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.cli.conclusion.ReplayConclusion;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.HtmlPrinter;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.testing.Seeds;
import dev.stowage.testing.browser.Browser;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The holes of pages, compared with the explanations of reports. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HolesOfReportsBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  @BeforeAll
  void prepare() {
    browser.prefer("light");
  }

  static LongStream seeds() {
    return Seeds.of(5);
  }

  private ReplayReport replayed(BfcOptions options, String events) throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\n" + events);
    return new ReplayRunner(
            TraceOptions.strict(),
            (_, _) -> ReplayedAllocator.bfc("", options),
            false,
            true,
            true,
            OptionalLong.empty())
        .run(trace.toString());
  }

  private static Answer answer(ReplayReport report) {
    return ReplayAnswer.of(report, ReplayConclusion.of(report, List.of(), List.of()));
  }

  private static String json(ReplayReport report) throws IOException {
    StringWriter out = new StringWriter();
    new AnswerPrinter(AnswerPrinter.Format.JSON, 80).print(answer(report), out);
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
    Path page = folder.resolve("replay.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      HtmlPrinter.print(answer(report), List.of(), out);
    }
    browser.open(page);

    for (int event = 1; event <= 80; event++) {
      assertThat(holesOf(event)).as("event %d", event).isEqualTo(naive.holes(event));
    }
    assertThat(differences(json(report))).isEqualTo("[]");
    browser.assertNothingWentWrong();
  }

  private String holesOf(int event) {
    return browser.run(
        """
        const { model } = document.getElementById('map').explorer;
        return model.memoryAt(arguments[0]).holes.map(({ region, low, bytes, below, above }) =>
            [region.index, low - region.base, bytes, below, above].join(' ')).join('\\n');
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
                  [hole.region.index, hole.low - hole.region.base, hole.bytes, hole.region.owner, chunk(hole.below), chunk(hole.above)]),
              failure.holes.map((hole) =>
                  [hole.region, hole.offset, hole.bytes, hole.owner, owner(hole.below), owner(hole.above)]));
        }
        const all = model.memoryAt(event).regions.filter(({ free, chunks }) => free > 0 && chunks.length > 0);
        const largest = (chunks) => chunks.map((i) => model.bytes[i]).sort((a, b) => b - a).slice(0, 3);
        compare(all.length, count);
        compare(
            all.slice(0, pins.length).map(({ region, bytes, free, chunks }) =>
                [region.index, bytes, free, chunks.length, largest(chunks)]),
            pins.map((pin) => [pin.region, pin.bytes, pin.free_bytes, pin.blocks, pin.largest.map((it) => it.bytes)]));
        return JSON.stringify(differences);
        """,
        json);
  }
}
