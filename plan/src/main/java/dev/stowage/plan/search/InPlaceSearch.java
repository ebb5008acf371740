package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.fit.ArrivalFit;
import dev.stowage.plan.search.InPlaceChoices.Choice;
import dev.stowage.plan.time.TaskLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/** The search for offsets of a problem with records in place. */
final class InPlaceSearch {

  /*
   * Branch and bound over the choices for pairs. Each node is an InPlaceForm, a problem without
   * records in place, which an ordinary search plans. Its lower bound holds for all plans with the
   * choices of the node.
   *
   *   - The plan with as many merged pairs as possible comes first. It usually reaches the load.
   *   - Next comes the plan that merges only records of equal sizes. Its form has no further
   *     gaps, which makes its search faster.
   *   - Then comes the plan without records in place, so that the result is not larger.
   *   - A local search changes the choices of the best plan, a few pairs at a time, and makes only the
   *     quick plans of these forms.
   *   - The tree starts with all pairs open. If the plan of a node is not valid for the original
   *     problem, an open pair is the reason, and the node has two children: one with the pair merged,
   *     and one with the pair separate.
   *
   * The search proceeds in rounds. Each round allows the ordinary searches four times as many nodes
   * as the round before, and repeats the searches that did not end. The limits count nodes, not
   * time, so that the result is the same on every machine.
   */

  private static final long FIRST_ROUND_NODES = 1_000;
  private static final int ROUND_FACTOR = 4;

  /**
   * The nodes that the search counts for each form, in addition to the nodes of the form's search.
   */
  private static final long NODES_PER_FORM = 100;

  /**
   * The number of records above which the first searches have no node limit: each takes long, and
   * repeating them would take most of the time.
   */
  private static final int MAX_ROUND_RECORDS = 4_000;

  /** The largest number of open nodes of the tree. */
  private static final int MAX_OPEN = 1_000_000;

  /** An ordinary search within the limits of this one. */
  @FunctionalInterface
  interface FormSearch {

    /** {@return the best plan of a form} */
    SearchResult<OffsetsAssignment> run(
        PlanProblem form, SearchOptions options, Optional<OffsetsAssignment> start);
  }

  private final PlanProblem problem;
  private final SearchOptions options;
  private final SearchLimit limit;
  private final FormSearch formSearch;
  private final Optional<OffsetsAssignment> offered;
  private final InPlaceChoices.Pairs pairs;

  private Optional<OffsetsAssignment> best = Optional.empty();

  /** The choices of the smallest plan with known choices. */
  private Optional<InPlaceChoices> bestChoices = Optional.empty();

  /** A fixed seed, so that the result is the same on every machine. */
  private final Random random = new Random(1);

  private long lowerBytes;
  private long nodes;

  /** The smallest lower bound of the nodes that are closed although they may have better plans. */
  private long abandonedBytes = Long.MAX_VALUE;

  private final PriorityQueue<Node> open =
      new PriorityQueue<>(
          Comparator.<Node>comparingLong(node -> node.lowerBytes)
              .thenComparingInt(node -> -node.depth)
              .thenComparingLong(node -> node.number));

  /** The forms with a search that did not end within the nodes of this round. */
  private final List<Node> unfinished = new ArrayList<>();

  private long nodeNumber;

  InPlaceSearch(
      PlanProblem problem,
      SearchOptions options,
      SearchLimit limit,
      FormSearch formSearch,
      Optional<OffsetsAssignment> offered) {
    this.problem = problem;
    this.options = options;
    this.limit = limit;
    this.formSearch = formSearch;
    this.offered = offered;
    pairs = new InPlaceChoices.Pairs(problem);
    lowerBytes = TaskLoad.minArenaBytes(problem);
  }

  /** A node of the tree: a choice for one pair, in addition to the choices of the parent. */
  private final class Node {

    private final Optional<Node> parent;
    private final int pair;
    private final boolean isMerged;
    private final int depth;
    private final long number = nodeNumber++;
    private long lowerBytes;

    Node(Optional<Node> parent, int pair, boolean isMerged, long lowerBytes) {
      this.parent = parent;
      this.pair = pair;
      this.isMerged = isMerged;
      this.lowerBytes = lowerBytes;
      depth = parent.map(node -> node.depth + 1).orElse(0);
    }

    InPlaceChoices choices() {
      List<Node> path = new ArrayList<>();
      for (Optional<Node> node = Optional.of(this);
          node.isPresent() && node.get().parent.isPresent();
          node = node.get().parent) {
        path.add(node.get());
      }
      InPlaceChoices choices = InPlaceChoices.all(pairs, Choice.OPEN);
      for (Node node : path.reversed()) {
        choices.choose(node.pair, node.isMerged);
      }
      return choices;
    }
  }

  /** A form without open pairs that the search plans first, in each round. */
  private static final class FirstForm {

    private final InPlaceChoices choices;
    private final InPlaceForm form;
    private long lowerBytes;

    FirstForm(InPlaceChoices choices, InPlaceForm form) {
      this.choices = choices;
      this.form = form;
      lowerBytes = TaskLoad.minArenaBytes(form.problem());
    }
  }

  SearchResult<OffsetsAssignment> run() {
    if (pairs.count() == 0) {
      return formSearch.run(unmerged().problem(), options, offered);
    }
    if (isCapacityDecided()) {
      take(ArrivalFit.plan(unmerged().problem()));
    } else {
      search();
    }
    offered.ifPresent(this::take);
    return new SearchResult<>(best.orElseThrow(), lowerBytes, end(), nodes);
  }

  private void search() {
    List<FirstForm> firstForms = new ArrayList<>();
    for (InPlaceChoices choices : firstChoices()) {
      if (best.isEmpty() || (!isDone() && !limit.isOverForQuickPlans())) {
        Optional<FirstForm> first = firstForm(choices);
        first.ifPresent(firstForms::add);
        first
            .filter(it -> best.isEmpty() || it.lowerBytes < bestBytes())
            .ifPresent(it -> plan(it, 0));
      }
    }
    offered.ifPresent(this::take);
    if (problem.records().size() > MAX_ROUND_RECORDS) {
      firstForms.forEach(first -> planIfOpen(first, Long.MAX_VALUE));
    }
    open.add(new Node(Optional.empty(), 0, false, lowerBytes));
    for (long roundNodes = FIRST_ROUND_NODES;
        isOpen() && !open.isEmpty() && open.size() <= MAX_OPEN;
        roundNodes = Math.min(roundNodes, Long.MAX_VALUE / ROUND_FACTOR) * ROUND_FACTOR) {
      round(firstForms, roundNodes);
    }
  }

  /** {@return the choices that are planned before the tree; the last ones always have a form} */
  private List<InPlaceChoices> firstChoices() {
    InPlaceChoices merged = InPlaceChoices.mostlyMerged(pairs, false);
    InPlaceChoices equal = InPlaceChoices.mostlyMerged(pairs, true);
    InPlaceChoices none = InPlaceChoices.all(pairs, Choice.SEPARATE);
    return equal.isSameAs(merged) ? List.of(merged, none) : List.of(merged, equal, none);
  }

  /** {@return a form, without the pairs of pinned chains if pins exclude it; empty if others do} */
  private Optional<FirstForm> firstForm(InPlaceChoices choices) {
    InPlaceChoices unpinned = choices.withoutPinnedChains();
    return form(choices)
        .map(form -> new FirstForm(choices, form))
        .or(() -> form(unpinned).map(form -> new FirstForm(unpinned, form)));
  }

  private Optional<InPlaceForm> form(InPlaceChoices choices) {
    try {
      return InPlaceForm.of(problem, choices);
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** {@return the form without merged pairs} */
  private InPlaceForm unmerged() {
    return InPlaceForm.of(problem, InPlaceChoices.all(pairs, Choice.SEPARATE)).orElseThrow();
  }

  private void round(List<FirstForm> firstForms, long roundNodes) {
    firstForms.forEach(first -> planIfOpen(first, roundNodes));
    changeChoices(roundNodes);
    long start = nodes;
    while (isOpen() && !open.isEmpty() && nodes - start <= roundNodes && open.size() <= MAX_OPEN) {
      expand(open.remove(), roundNodes);
      raiseLowerBound();
    }
    open.addAll(unfinished);
    unfinished.clear();
    open.removeIf(node -> node.lowerBytes >= bestBytes());
    raiseLowerBound();
  }

  /**
   * Plans that differ from the best plan so far in the choices for a few pairs. Of plans of equal
   * size, it continues with the last one.
   */
  private void changeChoices(long roundNodes) {
    if (bestChoices.isEmpty()) {
      return;
    }
    InPlaceChoices choices = bestChoices.get();
    long bytes = bestBytes();
    long start = nodes;
    while (isOpen() && nodes - start <= roundNodes) {
      InPlaceChoices changed = choices.copy();
      for (int i = 0; i == 0 || (i < 3 && random.nextBoolean()); i++) {
        changed.flip(random.nextInt(pairs.count()));
      }
      nodes += NODES_PER_FORM;
      Optional<InPlaceForm> form = form(changed);
      if (form.isPresent() && TaskLoad.minArenaBytes(form.get().problem()) <= bytes) {
        OffsetsAssignment plan = form.get().toOriginal(run(form.get(), 0, true).assignment());
        take(plan, changed);
        if (plan.totalBytes() <= bytes) {
          bytes = plan.totalBytes();
          choices = changed;
        }
      }
    }
  }

  private void planIfOpen(FirstForm first, long nodeLimit) {
    if (isOpen() && first.lowerBytes < bestBytes()) {
      plan(first, nodeLimit);
    }
  }

  private void plan(FirstForm first, long nodeLimit) {
    SearchResult<OffsetsAssignment> result = run(first.form, nodeLimit, true);
    first.lowerBytes = Math.max(first.lowerBytes, result.lowerBoundBytes());
    take(first.form.toOriginal(result.assignment()), first.choices);
  }

  /**
   * {@return the best plan of a form}
   *
   * @param isExact true if all plans of the form are plans of the problem
   */
  private SearchResult<OffsetsAssignment> run(InPlaceForm form, long nodeLimit, boolean isExact) {
    long nodesBefore = nodes;
    SearchOptions ofForm =
        options
            .withNodeLimit(Math.min(nodeLimit, Math.max(0, options.nodeLimit() - nodes)))
            .withProgress(progress ->
                report(
                    isExact ? Math.min(bestBytes(), progress.bestBytes()) : bestBytes(),
                    nodesBefore + progress.nodes()));
    if (!options.isCapacityDecision()) {
      ofForm = ofForm.withCapacity(goalBytes());
    }
    SearchResult<OffsetsAssignment> result =
        formSearch.run(form.problem(), ofForm, best.or(() -> offered).flatMap(form::toForm));
    nodes += result.nodes();
    return result;
  }

  private void expand(Node node, long roundNodes) {
    nodes += NODES_PER_FORM;
    InPlaceChoices choices = node.choices();
    InPlaceForm form = InPlaceForm.of(problem, choices).orElseThrow();
    SearchResult<OffsetsAssignment> result = run(form, roundNodes, false);
    node.lowerBytes = Math.max(node.lowerBytes, result.lowerBoundBytes());
    OffsetsAssignment plan = form.toOriginal(result.assignment());
    Optional<Violation> violation = AssignmentChecker.violation(problem, plan);
    if (violation.isEmpty()) {
      take(plan);
      report(bestBytes(), nodes);
    }
    if (isAboveCapacity(node)) {
      abandonedBytes = Math.min(abandonedBytes, node.lowerBytes);
    } else if (node.lowerBytes < bestBytes()) {
      if (violation.isPresent() && plan.totalBytes() < bestBytes()) {
        branch(node, choices, openPair(choices, violation.get()));
      } else {
        unfinished.add(node);
      }
    }
  }

  /** {@return the open pair that is the reason for a violation: the one with the most bytes} */
  private int openPair(InPlaceChoices choices, Violation violation) {
    return violation.records().stream()
        .filter(i -> choices.ofRecord(i) == Choice.OPEN)
        .filter(i ->
            violation.task().isEmpty()
                || violation.task().getAsLong() == problem.records().get(i).firstTask())
        .max(Comparator.comparingLong(i -> problem.records().get(i).bytes()))
        .map(pairs::ofRecord)
        .orElseThrow(() -> new AssertionError("no open pair explains " + violation));
  }

  private void branch(Node node, InPlaceChoices choices, int pair) {
    for (boolean isMerged : new boolean[] {true, false}) {
      InPlaceChoices more = choices.copy();
      more.choose(pair, isMerged);
      try {
        Optional<InPlaceForm> form = InPlaceForm.of(problem, more);
        if (form.isPresent()) {
          long bytes = Math.max(node.lowerBytes, TaskLoad.minArenaBytes(form.get().problem()));
          if (bytes < bestBytes()) {
            open.add(new Node(Optional.of(node), pair, isMerged, bytes));
          }
        }
      } catch (ArithmeticException e) {
        abandonedBytes = Math.min(abandonedBytes, node.lowerBytes);
      }
    }
  }

  /** Keeps a plan and its choices if it is the smallest so far. */
  private void take(OffsetsAssignment plan, InPlaceChoices choices) {
    if (plan.totalBytes() < bestBytes()) {
      bestChoices = Optional.of(choices);
      take(plan);
    }
  }

  /** Keeps a plan if it is the smallest so far. */
  private void take(OffsetsAssignment plan) {
    if (plan.totalBytes() < bestBytes()) {
      best = Optional.of(plan);
    }
  }

  private long bestBytes() {
    return best.map(OffsetsAssignment::totalBytes).orElse(Long.MAX_VALUE);
  }

  private void raiseLowerBound() {
    long bytes = Math.min(bestBytes(), abandonedBytes);
    if (!open.isEmpty()) {
      bytes = Math.min(bytes, open.element().lowerBytes);
    }
    for (Node node : unfinished) {
      bytes = Math.min(bytes, node.lowerBytes);
    }
    lowerBytes = Math.max(lowerBytes, bytes);
  }

  /** {@return true if the search may continue} */
  private boolean isOpen() {
    return !isDone() && nodes < options.nodeLimit() && !limit.isOver();
  }

  private boolean isDone() {
    return bestBytes() <= goalBytes() || isCapacityDecided();
  }

  private boolean isCapacityDecided() {
    return options.isCapacityDecision() && lowerBytes > capacityBytes();
  }

  private boolean isAboveCapacity(Node node) {
    return options.isCapacityDecision() && node.lowerBytes > capacityBytes();
  }

  private long capacityBytes() {
    return options.capacityBytes().orElse(0);
  }

  /** {@return the size of an arena that ends the search} */
  private long goalBytes() {
    return Math.max(lowerBytes, capacityBytes());
  }

  private SearchEnd end() {
    if (bestBytes() == lowerBytes) {
      return SearchEnd.OPTIMAL;
    }
    if (bestBytes() <= capacityBytes()) {
      return SearchEnd.CAPACITY_REACHED;
    }
    if (limit.isCancelled()) {
      return SearchEnd.CANCELLED;
    }
    return limit.isOver() ? SearchEnd.TIME_LIMIT : SearchEnd.NODE_LIMIT;
  }

  private void report(long bytes, long nodeCount) {
    options
        .progress()
        .accept(
            new SearchProgress(
                bytes, lowerBytes, nodeCount, Duration.ofNanos(limit.elapsedNanos())));
  }
}
