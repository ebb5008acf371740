package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.ReplayHistory.EventRange;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.browser.PanelTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The panel of the moment, compared with figures that are computed one by one. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MomentPanelBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();
  private final PanelTable table = new PanelTable(browser);

  private void open(PlanPicture picture) throws IOException {
    browser.open(picture, folder);
  }

  private void open(ReplayPicture picture) throws IOException {
    browser.open(picture, folder);
  }

  private void setMoment(long step) {
    browser.run("document.getElementById('map').explorer.store.set({moment: arguments[0]})", step);
  }

  private String store(String name) {
    return browser.run(
        "return document.getElementById('map').explorer.store.get()[arguments[0]]", name);
  }

  private String peak() {
    return browser.run("return document.getElementById('peak').title");
  }

  /** {@return the largest value of a function over some steps, and the steps that have it} */
  private static String peakText(String noun, long first, long end, LongUnaryOperator of) {
    long most = LongStream.range(first, end).map(of).max().orElseThrow();
    List<String> ranges = new ArrayList<>();
    for (long step = first; step < end; step++) {
      if (of.applyAsLong(step) == most) {
        long from = step;
        while (step + 1 < end && of.applyAsLong(step + 1) == most) {
          step++;
        }
        ranges.add(
            from == step
                ? Numbers.grouped(from)
                : Numbers.grouped(from) + " to " + Numbers.grouped(step));
      }
    }
    assertThat(ranges).hasSizeBetween(1, 2);
    boolean isOne = ranges.size() == 1 && !ranges.getFirst().contains("to");
    return ByteUnit.exact(most).replaceFirst(" bytes?", "")
        + " at "
        + noun
        + (isOne ? " " : "s ")
        + String.join(" and ", ranges);
  }

  @Test
  void moment_ofAPlan_listsTheLiveTensorsOfEachTask() throws IOException {
    PlanPicture picture = Samples.random(300);
    open(picture);
    List<TensorUsageRecord> records = picture.problem().records();
    for (long task : List.of(0L, 17L, 111L, 250L)) {
      setMoment(task);
      List<Integer> live =
          IntStream.range(0, records.size())
              .filter(i -> records.get(i).firstTask() <= task && task <= records.get(i).lastTask())
              .boxed()
              .sorted(Comparator.comparingLong(i -> -records.get(i).bytes()))
              .toList();
      long sum = live.stream().mapToLong(i -> records.get(i).bytes()).sum();
      List<List<String>> expected = new ArrayList<>();
      long running = 0;
      for (int i : live) {
        TensorUsageRecord record = records.get(i);
        running += record.bytes();
        expected.add(
            List.of(
                "t" + i,
                ByteUnit.exact(record.bytes()),
                Numbers.percent(record.bytes(), sum),
                ByteUnit.human(running),
                Numbers.grouped(record.firstTask()),
                Numbers.grouped(record.lastTask())));
      }
      assertThat(table.rows()).isEqualTo(expected);
      assertThat(browser.text("panel"))
          .contains("task " + task + "\n")
          .contains(live.size() + " tensors: " + ByteUnit.exact(sum));
    }
    browser.assertNothingWentWrong();
  }

  /** At task 2, a tensor of 60 bytes takes over those of one of 100 bytes. */
  @Test
  void moment_inPlace_tellsTheSumAndTheLiveBytes() throws IOException {
    PlanProblem problem =
        PlanProblem.of(List.of(TensorUsageRecord.of(100, 0, 2), TensorUsageRecord.of(60, 2, 4)))
            .withInPlace(List.of(new InPlace(1, 0)));
    ShownPlan plan =
        new ShownPlan(
            "OPTIMAL", OffsetsAssignment.of(new long[] {0, 0}, 100), Optional.empty(), 100, true);
    List<RecordLabel> labels = List.of(new RecordLabel("a", "a"), new RecordLabel("b", "b"));
    open(new PlanPicture("in place", List.of(), labels, problem, List.of(plan), 0));
    setMoment(1);
    assertThat(browser.text("panel")).contains("1 tensor: 100 bytes").doesNotContain("Live bytes");
    setMoment(2);
    assertThat(browser.text("panel"))
        .contains("2 tensors: 160 bytes\n")
        .contains("Live bytes: 100 bytes, because some tensors share bytes");
    assertThat(peak()).startsWith("Peak 100 at tasks 0 to 2; without these tensors 0.");
    pin(1);
    assertThat(sharing("during")).containsExactly("a shares 60 B, tasks 0 to 2");
    assertThat(browser.text("panel")).contains("may overwrite").doesNotContain("Before");
    browser.assertNothingWentWrong();
  }

  private void pin(int record) {
    browser.run(
        "document.getElementById('map').explorer.store.set({pinned: arguments[0], panel: 'selected'})",
        record);
  }

  @Test
  void peak_ofAPlan_hasTheNextLowerOneWithoutTheTensorsLiveThere() throws IOException {
    PlanPicture picture = Samples.random(300);
    open(picture);
    List<TensorUsageRecord> records = picture.problem().records();
    long end = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElseThrow() + 1;
    long peak = picture.peak().tasks().getFirst().firstTask();
    assertThat(picture.peak().tasks()).hasSize(1);
    List<TensorUsageRecord> others =
        records.stream().filter(r -> r.lastTask() < peak || peak < r.firstTask()).toList();
    assertThat(peak())
        .isEqualTo(
            "Peak "
                + peakText("task", 0, end, task -> loadAt(records, task))
                + "; without these tensors "
                + peakText("task", 0, end, task -> loadAt(others, task))
                + ".");
  }

  private static long loadAt(List<TensorUsageRecord> records, long task) {
    return records.stream()
        .filter(record -> record.firstTask() <= task && task <= record.lastTask())
        .mapToLong(TensorUsageRecord::bytes)
        .sum();
  }

  @Test
  void moment_ofAReplay_listsTheChunksInUseAfterEachEvent() throws IOException {
    ReplayPicture picture = ReplaySamples.random(folder, 600);
    open(picture);
    ReplayHistory history = picture.history();
    for (long event : List.of(1L, history.peaks().getFirst().firstEvent(), 222L, 600L)) {
      setMoment(event);
      browser.run(
          "[...document.querySelectorAll('#panel button')].find((b) => b.textContent.startsWith('Show all')).click()");
      List<List<String>> expected =
          history.drawn().chunks().stream()
              .filter(chunk -> chunk.firstEvent() <= event && event < chunk.endEvent())
              .map(chunk ->
                  List.of(
                      "Allocation " + chunk.request().id(),
                      ByteUnit.exact(chunk.request().bytes()),
                      Numbers.grouped(chunk.firstEvent()),
                      chunk.endEvent() > 600 ? "end" : Numbers.grouped(chunk.endEvent()),
                      ByteUnit.exact(chunk.chunkBytes())))
              .toList();
      assertThat(
              table.rows().stream()
                  .map(row -> List.of(row.get(0), row.get(1), row.get(4), row.get(5), row.get(6))))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    browser.assertNothingWentWrong();
  }

  @Test
  void peak_ofAReplay_hasTheNextLowerOneWithoutTheChunksInUseThere() throws IOException {
    ReplayPicture picture = ReplaySamples.random(folder, 600);
    open(picture);
    ReplayHistory history = picture.history();
    EventRange peak = history.peaks().getFirst();
    assertThat(history.peaks()).hasSize(1);
    List<PlacedChunk> others =
        history.drawn().chunks().stream()
            .filter(chunk ->
                chunk.endEvent() <= peak.firstEvent() || peak.lastEvent() < chunk.firstEvent())
            .toList();
    String all = peakText("event", 1, 601, event -> requestedAt(history.drawn().chunks(), event));
    assertThat(peak())
        .isEqualTo(
            "Peak "
                + all.replace(" at ", " requested at ")
                + "; without these chunks "
                + peakText("event", 1, 601, event -> requestedAt(others, event))
                + ".");
  }

  private static long requestedAt(List<PlacedChunk> chunks, long event) {
    return chunks.stream()
        .filter(chunk -> chunk.firstEvent() <= event && event < chunk.endEvent())
        .mapToLong(chunk -> chunk.request().bytes())
        .sum();
  }

  @Test
  void sort_byAnyColumn_reordersTheRows() throws IOException {
    open(Samples.chain());
    setMoment(3);
    assertThat(table.column(0)).containsExactly("add", "conv/Relu6");
    table.sort("Until");
    table.sort("Until");
    assertThat(table.column(0)).containsExactly("conv/Relu6", "add");
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('#panel th')].map((th) => th.ariaSort).join()"))
        .isEqualTo("none,none,,,none,ascending");
    table.sort("Tensor");
    assertThat(table.column(0)).containsExactly("add", "conv/Relu6");
  }

  @Test
  void rows_andTheMap_markEachOther() throws IOException {
    open(Samples.chain());
    setMoment(3);
    browser.moveMouseTo(browser.pointOf(2, 3.5));
    browser.until("document.querySelector('#panel tr.hovered') !== null");
    assertThat(table.marked(".hovered")).containsExactly("conv/Relu6");
    browser.run("document.querySelectorAll('#panel tbody tr')[0].click()");
    assertThat(store("pinned")).isEqualTo("1");
    assertThat(table.marked("[aria-current]")).containsExactly("add");
    browser.run("document.querySelectorAll('#panel tbody tr')[0].focus()");
    assertThat(store("hovered")).isEqualTo("1");
    assertThat(browser.run("return document.getElementById('hover').hidden")).isEqualTo("true");
    browser.pressActive(Keys.ARROW_DOWN);
    assertThat(store("hovered")).isEqualTo("0");
    browser.pressActive(Keys.ENTER);
    assertThat(store("pinned")).isEqualTo("0");
    browser.pressActive(Keys.ENTER);
    assertThat(browser.text("panel")).startsWith("conv/Relu6\nid\n10\n");
    browser.assertNothingWentWrong();
  }

  @Test
  void moreThan200Rows_areShownOnDemand() throws IOException {
    TensorUsageRecord[] records = new TensorUsageRecord[1000];
    Arrays.setAll(records, i -> TensorUsageRecord.of(1000 - i, 0, 1));
    open(Samples.of(List.of(records)));
    assertThat(table.rows()).hasSize(200);
    browser.run("document.getElementById('map').explorer.store.set({pinned: 777})");
    assertThat(table.rows()).hasSize(201);
    assertThat(table.rows().getLast()).startsWith("t777", "223 bytes");
    assertThat(
            browser.run(
                """
                const panel = document.getElementById('panel').getBoundingClientRect();
                const row = document.querySelector('#panel [aria-current]').getBoundingClientRect();
                return row.top >= panel.top && row.bottom <= panel.bottom;
                """))
        .isEqualTo("true");
    browser.run("document.querySelector('#panel table + button').click()");
    assertThat(table.rows()).hasSize(1000);
  }

  @Test
  void chunksThatAreNotDrawn_areCountedAsTheRest() throws IOException {
    ReplayPicture all = ReplaySamples.random(folder, 600);
    open(ReplaySamples.withoutLast(all, 40));
    List<PlacedChunk> chunks = all.history().drawn().chunks();
    List<PlacedChunk> hidden = chunks.subList(chunks.size() - 40, chunks.size());
    setMoment(590);
    List<PlacedChunk> live =
        hidden.stream().filter(c -> c.firstEvent() <= 590 && 590 < c.endEvent()).toList();
    assertThat(live).hasSizeGreaterThan(1);
    long bytes = live.stream().mapToLong(chunk -> chunk.request().bytes()).sum();
    assertThat(browser.text("panel"))
        .contains(live.size() + " chunks, " + ByteUnit.human(bytes) + ", not drawn.");
  }

  @Test
  void selected_ofAPlan_listsTheTensorsInTheSameBytes() throws IOException {
    PlanPicture picture = Samples.random(120);
    open(picture);
    List<TensorUsageRecord> records = picture.problem().records();
    for (int record : List.of(3, 50, 119)) {
      pin(record);
      TensorUsageRecord of = records.get(record);
      List<Integer> before =
          IntStream.range(0, records.size())
              .filter(i -> records.get(i).lastTask() < of.firstTask())
              .filter(i -> commonBytes(picture, record, i) > 0)
              .boxed()
              .sorted(Comparator.comparingLong(i -> -records.get(i).lastTask()))
              .limit(6)
              .toList();
      List<Integer> after =
          IntStream.range(0, records.size())
              .filter(i -> records.get(i).firstTask() > of.lastTask())
              .filter(i -> commonBytes(picture, record, i) > 0)
              .boxed()
              .sorted(Comparator.comparingLong(i -> records.get(i).firstTask()))
              .limit(6)
              .toList();
      assertThat(sharing("before")).isEqualTo(texts(picture, record, before));
      assertThat(sharing("after")).isEqualTo(texts(picture, record, after));
      assertThat(sharing("during")).isEmpty();
    }
    browser.assertNothingWentWrong();
  }

  private List<String> sharing(String part) {
    return browser
        .run(
            """
            return [...document.querySelectorAll(`#panel ul[data-part=${arguments[0]}] li`)]
                .map((item) => item.textContent).join('\\n');
            """,
            part)
        .lines()
        .toList();
  }

  private static List<String> texts(PlanPicture picture, int record, List<Integer> others) {
    return others.stream()
        .map(i -> {
          TensorUsageRecord other = picture.problem().records().get(i);
          return "t%s shares %s, tasks %s to %s"
              .formatted(
                  i,
                  ByteUnit.human(commonBytes(picture, record, i)),
                  Numbers.grouped(other.firstTask()),
                  Numbers.grouped(other.lastTask()));
        })
        .toList();
  }

  private static long commonBytes(PlanPicture picture, int record, int other) {
    long low = picture.best().drawn().offset(record);
    long otherLow = picture.best().drawn().offset(other);
    return Math.min(
            low + picture.problem().records().get(record).bytes(),
            otherLow + picture.problem().records().get(other).bytes())
        - Math.max(low, otherLow);
  }
}
