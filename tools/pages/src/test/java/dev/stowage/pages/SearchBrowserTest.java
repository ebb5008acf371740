package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.browser.PanelTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The search of a page: its terms and its sums. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SearchBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();
  private final PanelTable table = new PanelTable(browser);

  private void open(PlanPicture picture) throws IOException {
    browser.open(new PlanMap(picture), folder);
    table.open("moment");
  }

  private void type(String text) {
    browser.run(
        """
        const input = document.getElementById('find');
        input.value = arguments[0];
        input.dispatchEvent(new Event('input'));
        """,
        text);
  }

  /** {@return the indices of the records that a search matches, joined by commas} */
  private String matches(String text) {
    type(text);
    return browser.run(
        """
        const { matches } = document.getElementById('map').explorer.store.get();
        return matches === null ? 'none' : [...matches.keys()].filter((i) => matches[i] === 1).join();
        """);
  }

  @Test
  void numbers_inAnyNotation_matchAsEachRecordDoes() throws IOException {
    PlanPicture picture = Samples.random(300);
    open(picture);
    List<TensorUsageRecord> records = picture.problem().records();
    assertMatches(records, "bytes>512KiB", i -> records.get(i).bytes() > 512 << 10);
    assertMatches(records, "BYTES<300k", i -> records.get(i).bytes() < 300 << 10);
    assertMatches(records, "bytes>524,288", i -> records.get(i).bytes() > 524_288);
    assertMatches(records, "bytes<0.5MB", i -> records.get(i).bytes() < 512 << 10);
    assertMatches(records, "t1", i -> ("t" + i).contains("t1"));
    assertMatches(
        records, "t1 bytes>4k", i -> ("t" + i).contains("t1") && records.get(i).bytes() > 4 << 10);
    browser.assertNothingWentWrong();
  }

  private void assertMatches(
      List<TensorUsageRecord> records, String text, IntPredicate isExpected) {
    List<Integer> expected = IntStream.range(0, records.size()).filter(isExpected).boxed().toList();
    assertThat(expected).as(text).isNotEmpty().hasSizeLessThan(records.size());
    assertThat(matches(text))
        .as(text)
        .isEqualTo(expected.stream().map(String::valueOf).collect(Collectors.joining(",")));
    long moment = Long.parseLong(state("moment"));
    List<Integer> live =
        expected.stream()
            .filter(
                i -> records.get(i).firstTask() <= moment && moment <= records.get(i).lastTask())
            .toList();
    assertThat(browser.text("sums"))
        .as(text)
        .isEqualTo(
            "%s, %s in all; %s live at the moment, %s"
                .formatted(
                    Numbers.count(expected.size(), "tensor"),
                    ByteUnit.exact(sum(records, expected)),
                    Numbers.grouped(live.size()),
                    ByteUnit.exact(sum(records, live))));
  }

  private static long sum(List<TensorUsageRecord> records, List<Integer> indices) {
    return indices.stream().mapToLong(i -> records.get(i).bytes()).sum();
  }

  private String state(String name) {
    return browser.run(
        "return document.getElementById('map').explorer.store.get()[arguments[0]]", name);
  }

  @Test
  void words_ofNamesAndGroups_matchTexts() throws IOException {
    open(
        Samples.named(
            "names",
            "a/conv 1/Relu",
            "b/CONV_1",
            "say \"hi\" <script>",
            "x".repeat(10_000) + "end",
            "\u202egnp.exe",
            "w:0"));
    assertThat(matches("conv")).isEqualTo("0,1");
    assertThat(matches("\"hi")).isEqualTo("2");
    assertThat(matches("<script>")).isEqualTo("2");
    assertThat(matches("xxend")).isEqualTo("3");
    assertThat(matches("\u202egnp")).isEqualTo("4");
    assertThat(matches("w:0")).isEqualTo("5");
    assertThat(matches("bytes>x")).isEmpty();
    assertThat(matches("  ")).isEqualTo("none");
    browser.assertNothingWentWrong();
  }

  @Test
  void search_afterAGroupIsChosen_isEmpty() throws IOException {
    open(Samples.named("names", "a/x", "b/y", "b/z"));
    assertThat(matches("x")).isEqualTo("0");
    table.open("groups");
    browser.run("document.querySelector('#panel tbody tr').click()");
    assertThat(state("find")).isEmpty();
    assertThat(state("matches")).isNotEqualTo("null");
    table.open("moment");
    assertThat(browser.run("return document.getElementById('find').value")).isEmpty();
  }
}
