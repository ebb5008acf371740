package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.EndlessProblem;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchProgress;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals at known points of the planning. */
@Timeout(60)
final class InterruptedPlanTest {

  private static final InputFile FILE =
      new InputFile("p.json", "json", 9, OptionalLong.empty(), List.of());

  private final Interruption interruption = new Interruption(Duration.ofDays(1));

  InterruptedPlanTest() {
    interruption.expect();
  }

  private static PlanInput.Tensors endless() {
    PlanProblem problem = PlanProblem.of(EndlessProblem.records());
    return new PlanInput.Tensors(FILE, labels(problem.records().size()), problem);
  }

  private static List<RecordLabel> labels(int count) {
    return IntStream.range(0, count)
        .mapToObj(Integer::toString)
        .map(id -> new RecordLabel(id, id))
        .toList();
  }

  private PlanReport run(
      PlanInput input, Set<AssignmentKind> kinds, boolean explain, PlanProgress progress)
      throws InputRefusedException {
    SearchOptions search = SearchOptions.defaults().withTimeLimit(Duration.ofDays(1));
    PlanSelection selection = new PlanSelection(Set.of(), true, kinds, 1, search, explain);
    return new PlanRunner(selection, interruption).run(input, progress);
  }

  private static PlanProgress at(MemoryStrategy signalled, Interruption interruption) {
    return strategy -> {
      if (strategy == signalled) {
        interruption.interrupt(2);
      }
    };
  }

  @Test
  void run_signalBetweenStrategies_hasThePlansBefore() throws Exception {
    PlanReport report =
        run(
            endless(),
            EnumSet.allOf(AssignmentKind.class),
            true,
            at(MemoryStrategy.GREEDY_BEST, interruption));

    assertThat(report.isInterrupted()).isTrue();
    assertThat(report.objectsPlans())
        .map(Plan::name)
        .containsExactly(
            "NAIVE", "EQUALITY", "GREEDY_IN_ORDER", "GREEDY_BY_BREADTH", "GREEDY_BY_SIZE");
    assertThat(report.explanation()).isEmpty();
    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
  }

  @Test
  void run_signalAtTheFirstStrategy_reportsThatNoPlanWasFound() throws Exception {
    PlanReport report =
        run(
            endless(),
            EnumSet.of(AssignmentKind.OFFSETS),
            false,
            at(MemoryStrategy.NAIVE, interruption));

    assertThat(report.plans()).isEmpty();
    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
  }

  @Test
  void run_signalDuringTheSearch_hasItsBestPlan() throws Exception {
    PlanProgress signal =
        new PlanProgress() {
          @Override
          public void planning(MemoryStrategy strategy) {}

          @Override
          public void searching(SearchProgress progress) {
            if (progress.nodes() > 0) {
              interruption.interrupt(15);
            }
          }
        };

    PlanReport report = run(endless(), EnumSet.of(AssignmentKind.OFFSETS), true, signal);

    assertThat(report.isInterrupted()).isTrue();
    Plan.Offsets searched = report.searched().orElseThrow();
    assertThat(searched.search().orElseThrow().end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(report.bestOffsets().orElseThrow().totalBytes()).isEqualTo(searched.totalBytes());
    assertThat(report.explanation()).isEmpty();
    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
  }

  @Test
  void run_signalAsTheSearchForObjectsBegins_hasItsObjectsAndOffsets() throws Exception {
    PlanProgress signal =
        new PlanProgress() {
          @Override
          public void planning(MemoryStrategy strategy) {}

          @Override
          public void phase(String name) {
            if (name.equals("OPTIMAL objects")) {
              // The search starts before or after the signal; both are correct.
              Thread.startVirtualThread(() -> interruption.interrupt(2));
            }
          }
        };

    PlanReport report = run(endless(), EnumSet.allOf(AssignmentKind.class), false, signal);

    assertThat(report.isInterrupted()).isTrue();
    assertThat(report.objectsPlans().getLast().search()).isPresent();
    assertThat(report.searched().orElseThrow().totalBytes())
        .isEqualTo(report.bestOffsets().orElseThrow().totalBytes());
    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
  }

  private static PlanInput solved() {
    return new PlanInput.Tensors(
        FILE, labels(1), PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1))));
  }

  @Test
  void run_signalDuringTheExplanation_hasAllPlansAndThePartsBefore() throws Exception {
    PlanProblem problem =
        PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1), TensorUsageRecord.of(8, 1, 2)));
    PlanInput.Tensors input = new PlanInput.Tensors(FILE, labels(2), problem);
    Alternative smaller =
        new Alternative(
            "--smaller",
            false,
            () -> new Alternative.Records(PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1)))));
    Alternative signal =
        new Alternative(
            "--signal",
            false,
            () -> {
              interruption.interrupt(2);
              return new Alternative.Records(problem);
            });
    Alternative later =
        new Alternative(
            "--later",
            false,
            () -> {
              throw new AssertionError("is not read after the signal");
            });
    SearchOptions search = SearchOptions.defaults().withTimeLimit(Duration.ofDays(1));
    PlanSelection selection =
        new PlanSelection(Set.of(), true, EnumSet.of(AssignmentKind.OFFSETS), 1, search, true);

    List<String> phases = new ArrayList<>();
    PlanProgress progress =
        new PlanProgress() {
          @Override
          public void planning(MemoryStrategy strategy) {}

          @Override
          public void phase(String name) {
            phases.add(name);
          }
        };

    PlanReport report =
        new PlanRunner(selection, interruption)
            .run(input, List.of(smaller, signal, later), progress);

    assertThat(phases).containsExactly("explanation", "effect of --smaller", "effect of --signal");
    assertThat(report.isInterrupted()).isTrue();
    assertThat(report.isOptimal(report.searched().orElseThrow())).isTrue();
    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
    Explanation explanation = report.explanation().orElseThrow();
    assertThat(explanation.conflict().orElseThrow().leastBytes()).isEqualTo(16);
    assertThat(explanation.effects())
        .startsWith(new OptionEffect("--smaller", false, 16, 8, 8))
        .allMatch(effect -> !effect.option().equals("--later"));
  }

  @Test
  void shortage_signalDuringTheSearchForObjects_provesNothingOfOffsets() throws Exception {
    PlanReport whole =
        run(
            endless(),
            EnumSet.allOf(AssignmentKind.class),
            false,
            strategy -> {
              if (strategy == MemoryStrategy.OPTIMAL) {
                interruption.interrupt(2);
              }
            });
    PlanReport objectsOnly =
        PlanReport.of(
                whole.input(),
                Optional.of(new LowerBounds(10, 100)),
                List.copyOf(whole.objectsPlans()))
            .interrupted();

    assertThat(CapacityCheck.shortage(objectsOnly, OptionalLong.of(50)).orElseThrow().text())
        .endsWith("not proved: the lower bound is 10");
  }

  @Test
  void run_signalWhenTheLastPlanIsMade_isNoCut() throws Exception {
    PlanProgress signal =
        new PlanProgress() {
          @Override
          public void planning(MemoryStrategy strategy) {}
        };

    PlanReport report = run(solved(), EnumSet.of(AssignmentKind.OFFSETS), false, signal);
    interruption.interrupt(2);

    assertThat(report.isInterrupted()).isFalse();
    assertThat(report.notes()).isEmpty();
  }

  @Test
  void run_signalBetweenStrategiesOfTextures_hasThePlansBefore() throws Exception {
    PlanInput textures =
        new PlanInput.Textures(
            FILE,
            labels(1),
            List.of(new TextureUsageRecord(TextureExtent.of(8, 8), 0, 1)),
            Optional.empty());

    PlanReport report =
        run(
            textures,
            EnumSet.of(AssignmentKind.OBJECTS),
            false,
            at(MemoryStrategy.EQUALITY, interruption));

    assertThat(report.isInterrupted()).isTrue();
    assertThat(report.texturePlans()).map(Plan::name).containsExactly("NAIVE");
    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
  }
}
