package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.shapes.ShapeBuckets;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compares a plan for all shapes with plans for parts of them and for single shapes.
 *
 * @param selection the plans of each part
 * @param buckets the most parts of the shapes
 * @param interruption ends the comparison with the plans that are finished
 */
public record RangeRunner(PlanSelection selection, int buckets, Interruption interruption) {

  /** The part of the time and the nodes of a search that the search for one shape has. */
  private static final int SHAPE_DIVISOR = 10;

  /**
   * {@return a report with a comparison}
   *
   * @param report the plans for the largest size of each record
   * @throws InputRefusedException if parts are requested without offsets
   */
  public PlanReport compared(PlanReport report, PlanInput.Tensors input, PlanProgress progress)
      throws InputRefusedException {
    RangedProblem problem = input.ranges().orElseThrow();
    List<RangeReport.Bucket> parts = new ArrayList<>();
    List<RangeReport.ComparedShape> shapes = new ArrayList<>();
    Optional<Plan.Offsets> plan = report.bestOffsets();
    if (plan.isPresent()) {
      try {
        if (buckets > 1) {
          addBuckets(problem, input, progress, parts);
        }
        for (DimensionValues shape : problem.comparedPoints()) {
          if (interruption.isInterrupted()) {
            break;
          }
          progress.phase("best arena at " + shape);
          shapes.add(compared(shape, problem.at(shape), plan.get().assignment()));
        }
      } catch (WorkInterruptedException e) {
        // the report has the plans that are finished
      }
    } else if (buckets > 1) {
      throw new InputRefusedException(
          "--buckets divides the shapes among offsets plans, which --kind objects does not plan");
    }
    PlanReport compared = report.with(new RangeReport(problem, parts, shapes));
    return interruption.isInterrupted() ? compared.interrupted() : compared;
  }

  /** Plans each part, until a signal arrives. */
  private void addBuckets(
      RangedProblem problem,
      PlanInput.Tensors input,
      PlanProgress progress,
      List<RangeReport.Bucket> parts)
      throws InputRefusedException {
    progress.phase("borders of the buckets");
    List<DimensionRanges> ranges =
        interruption.run(() -> ShapeBuckets.of(problem, buckets, this::greedyBytes));
    PlanSelection offsets =
        new PlanSelection(
            selection.named(),
            selection.isAll(),
            EnumSet.of(AssignmentKind.OFFSETS),
            selection.alignment(),
            selection.search(),
            false);
    PlanRunner runner = new PlanRunner(offsets, interruption);
    for (DimensionRanges part : ranges) {
      PlanReport report = runner.run(input.withProblem(problem.largest(part)), progress);
      if (report.bestOffsets().isPresent()) {
        parts.add(
            new RangeReport.Bucket(part, report.withNotes(List.of("the plan is for " + part))));
      }
    }
  }

  private long greedyBytes(PlanProblem problem) {
    return MemoryStrategy.TFLM_GREEDY
        .planOffsets(problem.withAlignment(selection.alignment()))
        .totalBytes();
  }

  /** {@return a shape with its own plan; the plan for all shapes may be the better one} */
  private RangeReport.ComparedShape compared(
      DimensionValues shape, PlanProblem problem, OffsetsAssignment plan) {
    OffsetsSearch begun =
        OffsetsSearch.of(problem.withAlignment(selection.alignment()), shapeSearch());
    OffsetsAssignment found = interruption.run(begun::run, begun::cancel).assignment();
    return new RangeReport.ComparedShape(shape, Math.min(found.totalBytes(), end(problem, plan)));
  }

  private SearchOptions shapeSearch() {
    SearchOptions search = selection.search();
    return SearchOptions.defaults()
        .withThreads(search.threads())
        .withTimeLimit(search.timeLimit().dividedBy(SHAPE_DIVISOR))
        .withNodeLimit(search.nodeLimit() / SHAPE_DIVISOR);
  }

  /** {@return the bytes of a shape at the offsets of a plan for it and others} */
  private static long end(PlanProblem problem, OffsetsAssignment plan) {
    List<TensorUsageRecord> records = problem.records();
    return IntStream.range(0, records.size())
        .filter(i -> records.get(i).bytes() > 0)
        .mapToLong(i -> plan.offset(i) + records.get(i).bytes())
        .max()
        .orElse(0);
  }
}
