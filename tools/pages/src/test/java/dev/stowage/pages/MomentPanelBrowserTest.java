package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.browser.Browser;
import dev.stowage.testing.browser.PanelTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
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
    browser.open(new PlanMap(picture), folder);
  }

  private void open(ReplayMap picture) throws IOException {
    browser.open(picture, folder);
  }

  private void setMoment(long step) {
    browser.run("document.getElementById('map').explorer.store.set({moment: arguments[0]})", step);
  }

  private String store(String name) {
    return browser.run(
        "return document.getElementById('map').explorer.store.get()[arguments[0]]", name);
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
      for (int i : live) {
        TensorUsageRecord record = records.get(i);
        expected.add(
            List.of(
                "t" + i,
                ByteUnit.exact(record.bytes()),
                Numbers.percent(record.bytes(), sum),
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
    assertThat(browser.text("peak")).isEqualTo("Peak 100 B at tasks 0 to 2.");
    browser.assertNothingWentWrong();
  }

  @Test
  void moment_ofAReplay_listsTheChunksInUseAfterEachEvent() throws IOException {
    ReplayMap picture = ReplaySamples.random(folder, 600);
    open(picture);
    ReplayHistory history = picture.history();
    for (long event : List.of(1L, 17L, 222L, 600L)) {
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
                      ByteUnit.exact(chunk.chunkBytes()),
                      Numbers.grouped(chunk.firstEvent()),
                      chunk.endEvent() > 600 ? "end" : Numbers.grouped(chunk.endEvent())))
              .toList();
      assertThat(
              table.rows().stream()
                  .map(row -> List.of(row.get(0), row.get(1), row.get(3), row.get(4), row.get(5))))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    browser.assertNothingWentWrong();
  }

  @Test
  void rows_hoveredAndChosen_markTheMap() throws IOException {
    open(Samples.chain());
    setMoment(3);
    browser.moveMouseTo(new Browser.Point(2, 2)); // away from the map
    browser.run("document.querySelectorAll('#panel tbody button')[0].focus()");
    assertThat(store("hovered")).isEqualTo("1");
    assertThat(browser.run("return document.getElementById('hover').hidden")).isEqualTo("true");
    browser.pressActive(Keys.ENTER);
    assertThat(store("pinned")).isEqualTo("1");
    assertThat(table.marked("[aria-current]")).containsExactly("add");
    browser.pressActive(Keys.ENTER);
    assertThat(browser.text("panel")).startsWith("add\nid\n11\n");
    browser.assertNothingWentWrong();
  }

  @Test
  void moreThan200Rows_areShownOnDemand() throws IOException {
    TensorUsageRecord[] records = new TensorUsageRecord[1000];
    Arrays.setAll(records, i -> TensorUsageRecord.of(1000 - i, 0, 1));
    open(Samples.of(List.of(records)));
    assertThat(table.rows()).hasSize(200);
    browser.run("document.querySelector('#panel table + button').click()");
    assertThat(table.rows()).hasSize(1000);
  }
}
