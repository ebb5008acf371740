package dev.stowage.cli.banks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.EndlessProblem;
import dev.stowage.cli.conclusion.BankConclusion;
import dev.stowage.cli.conclusion.NextPlanCommand;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.AnswerPrinter.Format;
import dev.stowage.cli.report.BankAnswer;
import dev.stowage.cli.report.Printed;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.search.SearchOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of searches in several banks that a signal or a limit ended. */
@Timeout(60)
final class InterruptedBanksTest {

  private static final List<MemoryBank> BANKS =
      List.of(MemoryBank.of("sram", 8192), MemoryBank.unlimited("dram").withCost(10));

  private final Interruption interruption = new Interruption();

  InterruptedBanksTest() {
    interruption.expect();
  }

  private BankReport report(SearchOptions options) throws Exception {
    PlanProblem problem = PlanProblem.of(EndlessProblem.records());
    int count = problem.records().size();
    InputFile file = new InputFile("p.csv", "csv", 13, OptionalLong.empty(), List.of());
    List<RecordLabel> labels =
        IntStream.range(0, count)
            .mapToObj(Integer::toString)
            .map(id -> new RecordLabel(id, id))
            .toList();
    return new BankRunner(BANKS, 1, options, interruption)
        .run(new PlanInput.Tensors(file, labels, problem));
  }

  /** {@return the report of a search that receives a signal when it runs} */
  private BankReport interrupted() throws Exception {
    Thread signal =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              while (!isSearching()) {
                Thread.onSpinWait();
              }
              interruption.interrupt(15);
            });
    BankReport report = report(SearchOptions.defaults().withTimeLimit(Duration.ofDays(1)));
    signal.join();
    return report;
  }

  private static boolean isSearching() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().endsWith(".OffsetsSearch"));
  }

  private static String text(Format format, BankReport report) throws IOException {
    return Printed.of(
        format,
        BankAnswer.of(report, BankConclusion.of(report, new NextPlanCommand(List.of(), false))));
  }

  @Test
  void print_interruptedSearch_isMarkedInAllFormats() throws Exception {
    BankReport report = interrupted();

    assertThat(text(Format.TABLE, report))
        .contains(": A plan of all ")
        .endsWith("\nInterrupted: plans are missing or could be smaller.\n");
    assertThat(text(Format.CSV, report))
        .containsPattern("p.csv,[A-Z_]+,banks,[0-9]+,[0-9.]+,[0-9]+,cancelled,sram,")
        .containsPattern("p.csv,[A-Z_]+,banks,[0-9]+,[0-9.]+,[0-9]+,cancelled,dram,");
    assertThat(text(Format.JSON, report))
        .contains("\"ended\":\"cancelled\"", "\"interrupted\":true");
    assertThat(report.isInterrupted()).isTrue();
  }

  @Test
  void print_searchAtItsNodeLimit_namesTheLimit() throws Exception {
    BankReport report = report(SearchOptions.defaults().withNodeLimit(1000));

    assertThat(text(Format.TABLE, report))
        .containsPattern(
            "\nOPTIMAL reached its node limit after [0-9,]+ nodes; a --time-limit lets it search longer\\.\n$");
    assertThat(report.isInterrupted()).isFalse();
  }

  @Test
  void print_searchAtItsTimeLimit_namesTheLimit() throws Exception {
    BankReport report = report(SearchOptions.defaults().withTimeLimit(Duration.ofMillis(1)));

    assertThat(text(Format.TABLE, report))
        .containsPattern(
            "\nOPTIMAL reached its time limit after [0-9.]+ s and [0-9,]+ nodes?; a higher --time-limit lets it search longer\\.\n$");
  }
}
