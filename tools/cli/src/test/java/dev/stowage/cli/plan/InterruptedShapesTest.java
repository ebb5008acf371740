package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.conclusion.PlanningOptionWords;
import dev.stowage.cli.conclusion.ShapesConclusion;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.report.AnswerPrinter.Format;
import dev.stowage.cli.report.Printed;
import dev.stowage.cli.report.ShapesAnswer;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals at known points of the search for layouts and of their proofs. */
@Timeout(60)
final class InterruptedShapesTest {

  private static final LayoutOptions OPTIONS =
      LayoutOptions.defaults().withTimeLimit(Duration.ofDays(1)).withNodeLimit(1_000);

  private final Interruption interruption = new Interruption(Duration.ofMillis(1));
  private final List<String> phases = new ArrayList<>();

  InterruptedShapesTest() {
    interruption.expect();
  }

  private static ShapesInput input() {
    SymbolicRecord record = SymbolicRecord.of(SizeExpression.parse("8*n"), 0, 1);
    return new ShapesInput(
        new InputFile("p.json", "json", 2, OptionalLong.empty(), List.of()),
        List.of(new RecordLabel("a", "a")),
        new SymbolicProblem(List.of(record), DimensionRanges.of(new DimensionRange("n", 1, 4)), 1));
  }

  private ShapesReport run(Consumer<LayoutSearchResult> certification)
      throws InputRefusedException {
    PlanProgress progress =
        new PlanProgress() {
          @Override
          public void planning(MemoryStrategy strategy) {}

          @Override
          public void phase(String name) {
            phases.add(name);
          }
        };
    return new ShapesRunner(1, OPTIONS, interruption, certification).run(input(), progress);
  }

  private static String printed(Format format, ShapesReport report) throws IOException {
    return Printed.of(
        format,
        ShapesAnswer.of(
            report, ShapesConclusion.of(report, new PlanningOptionWords(List.of(), false))));
  }

  @Test
  void run_noSignal_isCertified() throws Exception {
    List<LayoutSearchResult> certified = new ArrayList<>();
    ShapesReport report = run(certified::add);

    assertThat(report.isCertified()).isTrue();
    assertThat(certified).containsExactly(report.result());
    assertThat(phases).containsExactly("layouts", "proofs for all shapes");
    assertThat(printed(Format.TABLE, report))
        .contains("\nProved: the layout is valid for all shapes. ");
    assertThat(printed(Format.JSON, report)).doesNotContain("certified");
  }

  @Test
  void run_signalDuringTheProofs_hasTheLayoutsWithoutACertificate() throws Exception {
    ShapesReport report =
        run(result -> {
          interruption.interrupt(15);
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the runner abandoned the proofs
          }
        });

    assertThat(report.isCertified()).isFalse();
    assertThat(report.isInterrupted()).isFalse();
    assertThat(report.result().layout().offsets()).hasSize(1);
    assertThat(printed(Format.TABLE, report))
        .contains(
            "\nNot proved, because a signal ended the proofs: the layout is valid for all shapes. ");
    assertThat(printed(Format.JSON, report)).contains("\"certified\":false");
  }

  @Test
  void run_proofThatFails_isAnError() {
    AssertionError error = new AssertionError("not valid");

    assertThatThrownBy(() ->
            run(result -> {
              throw error;
            }))
        .isSameAs(error);
  }
}
