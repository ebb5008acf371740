package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.RecordedReport;
import dev.stowage.cli.conclusion.BudgetConclusion;
import dev.stowage.cli.report.AnswerPrinter.Format;
import dev.stowage.pages.text.Conclusion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The texts of budgets from recorded steps, compared with a file of all texts. */
class BudgetAnswerTest {

  private static final Path GOLDEN =
      Path.of("tools/cli/src/test/resources/dev/stowage/cli/budget.txt");
  private static final List<String> OPTIONS = List.of("--dim", "batch=8..16", "--sessions", "2");
  private static final OptionalLong NONE = OptionalLong.empty();
  private static final OptionalLong HEAP = OptionalLong.of(64 << 20);
  private static final OptionalLong LIMIT = OptionalLong.of(300_000_000);

  private static Conclusion conclusion(BudgetReport report) {
    return BudgetConclusion.of(report, OPTIONS);
  }

  private static String printed(List<Answer> answers, Format format) throws IOException {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    for (Answer answer : answers) {
      new AnswerPrinter(format, 100).print(answer, out);
    }
    out.flush();
    return text.toString();
  }

  private static String table(BudgetReport report) throws IOException {
    String next = conclusion(report).command().map(command -> "Next: " + command + "\n").orElse("");
    return printed(BudgetAnswer.of(report, conclusion(report)), Format.TABLE) + next;
  }

  private static String json(BudgetReport report) throws IOException {
    return printed(BudgetAnswer.of(report, conclusion(report)), Format.JSON);
  }

  private static String kubernetes(BudgetReport report) throws IOException {
    return printed(List.of(BudgetKubernetes.of(report, false)), Format.TABLE);
  }

  private static String sentence(BudgetReport report) {
    String next = conclusion(report).command().map(command -> "Next: " + command + "\n").orElse("");
    return conclusion(report).sentence() + "\n" + next;
  }

  @Test
  void texts_ofRecordedReports_areThoseOfTheFile() throws IOException {
    BudgetReport plain = RecordedReport.of(NONE, NONE);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("table", table(plain));
    texts.put("table with a heap and a limit", table(RecordedReport.of(HEAP, LIMIT)));
    texts.put("table with a limit between the shapes", table(RecordedReport.of(NONE, LIMIT)));
    texts.put("table with remedies", table(RecordedReport.withRemedies()));
    texts.put("json", json(RecordedReport.of(NONE, LIMIT)));
    texts.put("json with remedies", json(RecordedReport.withRemedies()));
    texts.put("k8s", kubernetes(plain));
    texts.put("k8s with a heap", kubernetes(RecordedReport.of(HEAP, NONE)));
    texts.put("k8s of a running service", kubernetes(RecordedReport.ofRunning()));
    texts.put("k8s of memory that grows", kubernetes(RecordedReport.growing()));
    texts.put("memory that grows", sentence(RecordedReport.growing()));
    texts.put("small machine", sentence(RecordedReport.onSmallMachine()));
    texts.put("within a limit", sentence(RecordedReport.of(NONE, OptionalLong.of(1L << 30))));
    texts.put("above a limit", sentence(RecordedReport.of(NONE, LIMIT)));
    texts.put("far above a limit", sentence(RecordedReport.of(NONE, OptionalLong.of(1_000_000))));
    texts.put("size that fits", sentence(RecordedReport.fitting(OptionalLong.of(11))));
    texts.put("largest size fits", sentence(RecordedReport.fitting(OptionalLong.of(16))));
    texts.put("no size fits", sentence(RecordedReport.fitting(NONE)));
    StringBuilder all = new StringBuilder();
    texts.forEach(
        (title, text) -> all.append("## ").append(title).append("\n\n").append(text).append('\n'));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GOLDEN, all);
    }
    assertThat(GOLDEN).content().isEqualTo(all.toString());
  }

  @Test
  void conclusion_remediesOfABudgetAboveItsLimit_namesNoCommandAgain() {
    BudgetReport above = RecordedReport.of(NONE, LIMIT);
    BudgetReport.More more = above.more();
    BudgetReport report =
        new BudgetReport(
            above.input(),
            above.request(),
            above.machine(),
            above.load(),
            above.curve(),
            new BudgetReport.More(
                more.arrivedBytes(),
                more.inputBytes(),
                RecordedReport.withRemedies().more().remedies(),
                Optional.empty(),
                Optional.empty()));

    assertThat(conclusion(above).command())
        .hasValueSatisfying(it -> assertThat(it).endsWith(" --remedies"));
    assertThat(conclusion(report).command()).isEmpty();
  }
}
