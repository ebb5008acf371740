package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The plans of several inputs: a row for each. */
public final class PlansAnswer {

  private final List<String> options;
  private final List<Row> rows = new ArrayList<>();

  /** The plans of an input. */
  private record Row(PlanReport planned) {

    String input() {
      return planned.input().file().path();
    }

    Optional<Plan.Offsets> arena() {
      return planned.bestOffsets();
    }

    Optional<MicroReport> micro() {
      return planned.micro();
    }

    /** {@return the bytes of the arena for the input as it is; 0 without an arena} */
    long bytes() {
      return micro()
          .map(micro -> micro.fileSize().arenaBytes())
          .or(() -> arena().map(Plan::size))
          .orElse(0L);
    }
  }

  /**
   * @param options the options of the command that change plans
   */
  public PlansAnswer(List<String> options) {
    this.options = List.copyOf(options);
  }

  /** Adds the plans of an input. */
  public void add(PlanReport report) {
    rows.add(new Row(report));
  }

  /**
   * {@return the answers for people: one for all inputs with tensors, one for each other input}
   *
   * @param single returns the answer for one input
   */
  public List<Answer> answers(Function<PlanReport, Answer> single) {
    List<Row> compared =
        rows.stream().filter(row -> row.planned().input() instanceof PlanInput.Tensors).toList();
    List<Answer> answers = new ArrayList<>();
    if (compared.size() > 1) {
      answers.add(compared(compared));
    }
    rows.stream()
        .filter(row -> compared.size() == 1 || !compared.contains(row))
        .forEach(row -> answers.add(single.apply(row.planned())));
    return answers;
  }

  private Answer compared(List<Row> compared) {
    List<Row> shown =
        compared.stream().filter(row -> !row.planned().input().labels().isEmpty()).toList();
    Answer answer = answer(shown);
    long cutCount = shown.stream().filter(PlansAnswer::isOutOfTime).count();
    if (cutCount > 0) {
      answer.line(
          "%nOPTIMAL reached its time limit for %s; a higher --time-limit lets it search longer.",
          Numbers.count(cutCount, "input"));
    }
    if (shown.size() < compared.size()) {
      answer.line(
          "%s%s without tensors.",
          shown.isEmpty() ? "" : "\n", Numbers.count(compared.size() - shown.size(), "input"));
    }
    for (Row row : compared) {
      PlanReport report = row.planned();
      String input = Printable.of(row.input());
      if (report.isInterrupted()) {
        answer.line("Interrupted: plans of %s are missing or could be smaller.", input);
      }
      report
          .explanation()
          .ifPresent(explanation ->
              ExplanationAnswer.addTo(
                  answer, explanation, (PlanInput.Tensors) report.input(), input + ": "));
    }
    return answer;
  }

  private static boolean isOutOfTime(Row row) {
    PlanReport report = row.planned();
    return report.isOutOfTime() && row.arena().filter(report::isOptimal).isEmpty();
  }

  private Answer answer(List<Row> shown) {
    Answer answer = new Answer().titled("Plans");
    conclusion().ifPresent(conclusion -> answer.conclusion("", conclusion));
    return shown.isEmpty() ? answer : answer.table(table(shown));
  }

  /** {@return the conclusion on all inputs; empty if none needs an arena} */
  public Optional<Conclusion> conclusion() {
    List<Row> arenas = rows.stream().filter(row -> row.bytes() > 0).toList();
    long proved =
        arenas.stream()
            .filter(row -> row.arena().filter(row.planned()::isOptimal).isPresent())
            .count();
    return arenas.stream()
        .max(Comparator.comparingLong(Row::bytes))
        .map(largest ->
            new Conclusion(
                ByteUnit.human(largest.bytes()),
                Text.of(
                    "%s needs the largest of %s: %s.",
                    Printable.of(largest.input()),
                    Numbers.count(arenas.size(), "arena"),
                    ByteUnit.sentence(largest.bytes())),
                Text.of(
                    "Proved optimal: %s of %s.",
                    Numbers.grouped(proved), Numbers.count(arenas.size(), "plan")),
                Optional.of(ShellLine.of("plan", largest.input(), options, "--explain"))));
  }

  private static Table<Row> table(List<Row> rows) {
    InputTitles titles = new InputTitles(rows.stream().map(Row::input).toList());
    boolean isMicro = rows.stream().allMatch(row -> row.micro().isPresent());
    Table<Row> table =
        Table.shown(rows)
            .shown(
                isMicro ? "kTensorArenaSize" : "INPUT", row -> Figure.text(titles.of(row.input())));
    return isMicro ? withArenas(table) : withPlans(table, rows);
  }

  private static Table<Row> withArenas(Table<Row> table) {
    return table
        .shown("bytes", row -> micro(row, micro -> micro.fileSize().arenaBytes()))
        .shown("with a plan", row -> micro(row, MicroReport::smallestArenaBytes))
        .shown("head", row -> micro(row, micro -> micro.fileSize().headBytes()))
        .shown("tail", row -> micro(row, micro -> micro.fileSize().tailBytes()));
  }

  private static Figure micro(Row row, ToLongFunction<MicroReport> bytes) {
    return Figure.of(row.micro(), micro -> Figure.count(bytes.applyAsLong(micro)));
  }

  private static Table<Row> withPlans(Table<Row> table, List<Row> rows) {
    boolean hasArenas = isAny(rows, row -> row.arena().isPresent());
    Function<Row, Optional<? extends Plan>> best =
        hasArenas ? Row::arena : row -> row.planned().bestObjects();
    table
        .shown(
            "tensors",
            row ->
                Figure.of(
                    best.apply(row), _ -> Figure.count(row.planned().input().labels().size())))
        .shown(
            hasArenas ? "best arena" : "shared objects",
            row -> Figure.of(best.apply(row), plan -> Figure.inUnit(plan.size())))
        .shown("over bound", row -> Figure.of(best.apply(row), plan -> overBound(plan, row)));
    if (isAny(rows, row -> row.planned().planOfXla().isPresent())) {
      table
          .shown("XLA", row -> ofXla(row, (_, xla) -> Figure.inUnit(xla.size())))
          .shown(
              "over XLA", row -> ofXla(row, (plan, xla) -> Figure.over(plan.size(), xla.size())));
    } else {
      table.shown("saved", row -> Figure.of(best.apply(row), plan -> saved(plan, row)));
    }
    if (isAny(rows, row -> row.planned().order().isPresent())) {
      table.shown("other order", row -> Figure.of(row.planned().order(), PlansAnswer::otherOrder));
    }
    return table;
  }

  private static boolean isAny(List<Row> rows, Predicate<Row> predicate) {
    return rows.stream().anyMatch(predicate);
  }

  private static long bound(Plan plan, Row row) {
    return plan instanceof Plan.Offsets
        ? row.planned().offsetsBoundBytes()
        : row.planned().objectsBoundBytes();
  }

  private static Figure overBound(Plan plan, Row row) {
    return Figure.overBound(row.planned().isOptimal(plan), plan.size(), bound(plan, row));
  }

  /** {@return the share of the bytes without sharing that a plan saves} */
  private static Figure saved(Plan plan, Row row) {
    long naiveBytes = ((PlanInput.Tensors) row.planned().input()).problem().naiveBytes();
    long savedBytes = naiveBytes - plan.size();
    return naiveBytes == 0 ? Figure.none() : Figure.share(Numbers.percent(savedBytes, naiveBytes));
  }

  private static Figure ofXla(Row row, BiFunction<Plan.Offsets, Plan.Offsets, Figure> figure) {
    return Figure.of(
        row.planned().planOfXla(), xla -> Figure.of(row.arena(), plan -> figure.apply(plan, xla)));
  }

  private static Figure otherOrder(OrderComparison order) {
    return order.isReordered() ? Figure.inUnit(order.after().bytes()) : Figure.text("no better");
  }
}
