package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.ArenasConclusion;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/** The plans of several inputs for people: a column for each file, a row for each strategy. */
public final class PlanComparison {

  /** The number of columns that fit into a terminal. */
  private static final int COLUMNS = 4;

  private static final String ABSENT = "-";

  private final List<PlanReport> columns;
  private final Answer answer;

  private PlanComparison(List<PlanReport> columns, Answer answer) {
    this.columns = columns;
    this.answer = answer;
  }

  /**
   * {@return the answers for several inputs: one for all with tensors, one for each other input}
   *
   * @param conclusions returns the conclusion of one input
   * @param options the options of the command that change plans
   */
  public static List<Answer> of(
      List<PlanReport> reports,
      Function<PlanReport, Optional<Conclusion>> conclusions,
      List<String> options) {
    List<PlanReport> compared =
        reports.stream().filter(report -> report.input() instanceof PlanInput.Tensors).toList();
    boolean isComparison = compared.size() > 1;
    List<Answer> answers = new ArrayList<>();
    if (isComparison) {
      answers.add(compared(compared, options));
    }
    reports.stream()
        .filter(report -> !isComparison || !compared.contains(report))
        .forEach(report -> answers.add(PlanAnswer.of(report, conclusions.apply(report), false)));
    return answers;
  }

  private static Answer compared(List<PlanReport> reports, List<String> options) {
    Answer answer = new Answer();
    ArenasConclusion.of(reports, options)
        .ifPresent(conclusion -> answer.conclusion("", conclusion));
    if (XlaModules.areModules(reports)) {
      XlaModules.addTo(answer, reports);
    } else if (reports.stream().allMatch(report -> report.micro().isPresent())) {
      answer.table(MicroAnswer.models(reports));
    } else {
      addColumns(answer, reports);
    }
    reports.forEach(report -> addInterruption(report, answer));
    for (PlanReport report : reports) {
      report
          .explanation()
          .ifPresent(explanation ->
              ExplanationAnswer.addTo(
                  answer,
                  explanation,
                  (PlanInput.Tensors) report.input(),
                  Printable.of(path(report)) + ": "));
    }
    return answer;
  }

  private static void addColumns(Answer answer, List<PlanReport> reports) {
    ColumnTitles titles = new ColumnTitles(reports.stream().map(PlanComparison::path).toList());
    for (int from = 0; from < reports.size(); from += COLUMNS) {
      List<PlanReport> columns = reports.subList(from, Math.min(from + COLUMNS, reports.size()));
      new PlanComparison(columns, answer).addColumns(titles);
    }
  }

  private static void addInterruption(PlanReport report, Answer answer) {
    String path = Printable.of(path(report));
    if (report.arePlansCut()) {
      answer.line(
          report.plans().isEmpty()
              ? "Interrupted before the first plan of %s."
              : "Interrupted: these are the best plans of %s so far.",
          path);
    }
    if (report.isOrderCut()) {
      answer.line(
          "Interrupted: a longer search may find a better order of the operators of %s.", path);
    }
  }

  private void addColumns(ColumnTitles titles) {
    List<String> head = new ArrayList<>(List.of(""));
    columns.forEach(report -> head.add(titles.of(path(report))));
    Facts facts = new Facts(head.toArray(String[]::new));
    row(facts, "unit", report -> Optional.of(unit(report).name()));
    row(facts, "tensors", report -> Optional.of(Numbers.grouped(report.input().labels().size())));
    bytesRow(facts, "unshared", report -> OptionalLong.of(naiveBytes(report)));
    answer.facts(facts);
    if (isAny(report -> !report.offsetsPlans().isEmpty())) {
      Facts offsets = new Facts("OFFSETS in one arena");
      strategyRows(offsets, PlanReport::shownOffsetsPlans);
      savingRow(offsets, PlanReport::searched, PlanReport::bestUnsearched);
      bytesRow(offsets, "lower bound", report -> OptionalLong.of(report.offsetsBoundBytes()));
      answer.facts(offsets);
    }
    if (isAny(report -> !report.objectsPlans().isEmpty())) {
      Facts objects = new Facts("SHARED OBJECTS");
      strategyRows(objects, PlanReport::objectsPlans);
      savingRow(objects, PlanReport::searchedObjects, PlanReport::bestUnsearchedObjects);
      bytesRow(objects, "lower bound", report -> OptionalLong.of(report.objectsBoundBytes()));
      answer.facts(objects);
    }
    addOrder();
  }

  private void addOrder() {
    if (isAny(report -> report.order().isPresent())) {
      Facts facts = new Facts("ORDER OF OPERATORS");
      orderRow(facts, "of the file", order -> order.before().bytes());
      orderRow(facts, "best found", order -> order.after().bytes());
      orderRow(facts, "lower bound", OrderComparison::lowerBoundBytes);
      answer.facts(facts);
    }
  }

  private void orderRow(Facts facts, String label, Function<OrderComparison, Long> bytes) {
    bytesRow(
        facts,
        label,
        report -> report.order().map(bytes).map(OptionalLong::of).orElseGet(OptionalLong::empty));
  }

  private void strategyRows(
      Facts facts, Function<PlanReport, ? extends List<? extends Plan>> plans) {
    Stream<String> names = Stream.of(MemoryStrategy.values()).map(MemoryStrategy::name);
    for (String name : Stream.concat(names, Stream.of(Plan.OfXla.NAME)).toList()) {
      Function<PlanReport, OptionalLong> bytes =
          report ->
              plans.apply(report).stream()
                  .filter(plan -> plan.name().equals(name))
                  .mapToLong(Plan::size)
                  .findFirst();
      if (isAny(report -> bytes.apply(report).isPresent())) {
        bytesRow(facts, name, bytes);
      }
    }
  }

  /** Adds the saving of searches over the best other plans, unless no search saves anything. */
  private void savingRow(
      Facts facts,
      Function<PlanReport, Optional<? extends Plan>> searched,
      Function<PlanReport, Optional<? extends Plan>> bestOther) {
    Function<PlanReport, Optional<String>> saving =
        report ->
            searched
                .apply(report)
                .flatMap(found -> bestOther.apply(report).flatMap(other -> saving(found, other)));
    if (isAny(report -> saving.apply(report).isPresent())) {
      row(facts, "OPTIMAL saves", saving);
    }
  }

  private static Optional<String> saving(Plan found, Plan other) {
    long savedBytes = other.size() - found.size();
    return savedBytes > 0
        ? Optional.of(Numbers.percent(savedBytes, other.size()))
        : Optional.empty();
  }

  private boolean isAny(Function<PlanReport, Boolean> predicate) {
    return columns.stream().anyMatch(predicate::apply);
  }

  private void bytesRow(Facts facts, String label, Function<PlanReport, OptionalLong> bytes) {
    row(
        facts,
        label,
        report -> bytes.apply(report).stream().mapToObj(unit(report)::count).findFirst());
  }

  private void row(Facts facts, String label, Function<PlanReport, Optional<String>> cell) {
    facts.row(
        "",
        label,
        columns.stream()
            .map(report -> Figure.text(cell.apply(report).orElse(ABSENT)))
            .toArray(Figure[]::new));
  }

  private static String path(PlanReport report) {
    return report.input().file().path();
  }

  private static long naiveBytes(PlanReport report) {
    return ((PlanInput.Tensors) report.input()).problem().naiveBytes();
  }

  private static ByteUnit unit(PlanReport report) {
    return ByteUnit.unitFor(naiveBytes(report));
  }
}
