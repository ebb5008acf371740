package dev.stowage.cli.plan;

import dev.stowage.cli.input.OrderedMicro;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.OrderSearch;
import dev.stowage.plan.search.OrderSearchResult;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Searches for an order of the operators of a model that needs less memory than the file's.
 *
 * @param interruption cancels the searches, which then return their best plans
 */
public record OrderRunner(long alignment, SearchOptions search, Interruption interruption) {

  /**
   * {@return the order of the file and the best one}
   *
   * @param inFile the records in the order of the file; some may be in place of others
   * @throws WorkInterruptedException if a signal arrived and the search did not end in time
   * @throws IOException if the model cannot be read again
   */
  public OrderComparison run(OrderedModel model, PlanProblem inFile, OffsetsAssignment best)
      throws IOException {
    SearchOptions share = search.withTimeLimit(search.timeLimit().dividedBy(model.graphs().size()));
    List<FoundOrder> found = new ArrayList<>();
    for (OrderedModel.Graph graph : model.graphs()) {
      if (found.isEmpty() || found.getLast().plan.totalBytes() > bound(found)) {
        found.add(planned(model, search(graph, share)));
      }
    }
    FoundOrder other =
        found.stream()
            .min(Comparator.comparingLong(it -> it.plan.totalBytes())) // the first of equal plans
            .orElseThrow();
    boolean isFileOrder = isFileOrder(other.result.operators());
    boolean isSmaller = other.plan.totalBytes() < best.totalBytes();
    boolean isReordered = !isFileOrder && isSmaller;
    OffsetsAssignment smallest = isSmaller ? other.plan : best;
    boolean hasPairs = !inFile.inPlace().isEmpty() || !other.problem.inPlace().isEmpty();
    return new OrderComparison(
        new OrderComparison.FileOrder(
            load(inFile), isFileOrder ? smallest.totalBytes() : best.totalBytes()),
        new OrderComparison.BestOrder(
            isReordered ? other.result.operators() : List.of(),
            load(isReordered ? other.problem : inFile),
            smallest),
        new OrderComparison.BestOrder(
            isFileOrder ? List.of() : other.result.operators(), load(other.problem), other.plan),
        hasPairs && !model.isBoundOfPairs() ? largestBytes(model) : bound(found),
        interruption.isInterrupted());
  }

  /**
   * {@return a report with the best order of the operators, unless planning was interrupted}
   *
   * @param model the operators; empty if they keep their order
   * @throws IOException if the model cannot be read again
   */
  public PlanReport compared(PlanReport report, Optional<OrderedModel> model) throws IOException {
    if (model.isEmpty()) {
      return report.withNotes(List.of(OrderedMicro.FIXED_ORDER));
    }
    Optional<Plan.Offsets> best = report.bestOffsets();
    if (report.isInterrupted()
        || best.isEmpty()
        || !(report.input() instanceof PlanInput.Tensors tensors)) {
      return report;
    }
    try {
      OrderComparison orders = run(model.get(), tensors.problem(), best.get().assignment());
      PlanReport compared = report.with(orders);
      List<Integer> operators = orders.found().operators();
      // The head can be smaller although the plan, which also places scratch buffers, is not.
      if (!operators.isEmpty() && model.get().micro().isPresent() && report.micro().isPresent()) {
        MicroReport figures = report.micro().get();
        compared =
            compared.with(
                figures.withOrder(
                    figures.memory().inOrder(model.get().micro().get(), operators),
                    orders.found().assignment()));
      }
      return orders.isCut() ? compared.interrupted() : compared;
    } catch (WorkInterruptedException e) {
      return report.interrupted();
    }
  }

  /** An order that a search found, the records in it, and their plan. */
  private record FoundOrder(
      OrderSearchResult result, PlanProblem problem, OffsetsAssignment plan) {}

  /** {@return the lower bound of the first graph, which holds for all orders} */
  private static long bound(List<FoundOrder> found) {
    return found.getFirst().result.lowerBoundBytes();
  }

  private OrderSearchResult search(OrderedModel.Graph graph, SearchOptions limits) {
    PlanProblem given = graph.problem().withAlignment(alignment);
    OrderSearch orders =
        interruption.run(() -> OrderSearch.of(given, graph.operators().get(), limits), () -> {});
    return interruption.run(orders::run, orders::cancel);
  }

  private FoundOrder planned(OrderedModel model, OrderSearchResult result) throws IOException {
    boolean isRead = model.records().isPresent();
    PlanProblem planned =
        isRead
            ? model.records().get().inOrder(result.operators()).withAlignment(alignment)
            : result.problem();
    OffsetsAssignment plan = isRead ? plan(planned) : result.assignment();
    Plan.checkValid(MemoryStrategy.OPTIMAL, AssignmentChecker.violation(planned, plan));
    return new FoundOrder(result, planned, plan);
  }

  private OffsetsAssignment plan(PlanProblem problem) {
    OffsetsSearch offsets = OffsetsSearch.of(problem, search);
    return interruption.run(offsets::run, offsets::cancel).assignment();
  }

  private static boolean isFileOrder(List<Integer> operators) {
    return operators.equals(IntStream.range(0, operators.size()).boxed().toList());
  }

  private static long load(PlanProblem problem) {
    return LowerBounds.of(problem).offsetsBytes();
  }

  /**
   * {@return the bytes of the largest record}
   *
   * <p>This is a lower bound of the plans of all orders, also if records lie in place of others.
   */
  private static long largestBytes(OrderedModel model) {
    return model.problem().records().stream().mapToLong(TensorUsageRecord::bytes).max().orElse(0);
  }
}
