package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.CapacityCheck;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The plans of several inputs: a row for each, on the terminal and in the index of a page. */
public final class PlansAnswer {

  private final List<String> options;
  private final List<Row> rows = new ArrayList<>();

  /**
   * An input.
   *
   * @param report its plans; empty if there are none
   * @param address the address of its page; empty if it has none
   * @param note a sentence on it for a page, such as the reason why there are no plans
   */
  private record Row(String input, Optional<PlanReport> report, String address, String note) {

    boolean isOfTensors() {
      return report.filter(it -> it.input() instanceof PlanInput.Tensors).isPresent();
    }

    boolean isEmpty() {
      return report.filter(it -> it.input().labels().isEmpty()).isPresent();
    }

    Optional<Plan.Offsets> arena() {
      return report.flatMap(PlanReport::bestOffsets);
    }

    Optional<MicroReport> micro() {
      return report.flatMap(PlanReport::micro);
    }

    /** {@return the bytes of the arena for the input as it is; 0 without an arena} */
    long bytes() {
      return micro()
          .map(it -> it.fileSize().arenaBytes())
          .or(() -> arena().map(Plan::size))
          .orElse(0L);
    }

    boolean isOptimal() {
      return arena().filter(report.orElseThrow()::isOptimal).isPresent();
    }

    /** {@return a figure of the best shared objects} */
    Figure ofObjects(BiFunction<PlanReport, Plan, Figure> figure) {
      return Figure.of(
          report.flatMap(PlanReport::bestObjects),
          plan -> figure.apply(report.orElseThrow(), plan));
    }

    /** {@return a figure of the best arena} */
    Figure ofArena(BiFunction<PlanReport, Plan.Offsets, Figure> figure) {
      return Figure.of(arena(), plan -> figure.apply(report.orElseThrow(), plan));
    }
  }

  /**
   * @param options the options of the command that change plans
   */
  public PlansAnswer(List<String> options) {
    this.options = List.copyOf(options);
  }

  /**
   * Adds an input with plans.
   *
   * @param address the address of its page; empty if it has none
   */
  public void add(PlanReport report, OptionalLong capacityBytes, String address) {
    String note =
        report.isInterrupted()
            ? PlanReport.INTERRUPTED
            : report.bestOffsets().isEmpty()
                ? "has no plan of offsets in one arena"
                : CapacityCheck.shortage(report, capacityBytes)
                    .map(_ -> "does not fit into the capacity")
                    .orElse("");
    rows.add(new Row(report.input().file().path(), Optional.of(report), address, note));
  }

  /**
   * Adds an input without plans, and the reason. The reason may start with the name of the input.
   */
  public void addFailure(String input, String reason) {
    String prefix = input + ": ";
    String note = reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason;
    rows.add(new Row(input, Optional.empty(), "", note));
  }

  /**
   * {@return the answers for people: one for all inputs with tensors, one for each other input}
   *
   * @param single returns the answer for one input
   */
  public List<Answer> answers(Function<PlanReport, Answer> single) {
    List<Row> compared = rows.stream().filter(Row::isOfTensors).toList();
    boolean isCompared = compared.size() > 1;
    List<Answer> answers = new ArrayList<>();
    if (isCompared) {
      answers.add(compared(compared));
    }
    rows.stream()
        .filter(row -> !isCompared || !row.isOfTensors())
        .flatMap(row -> row.report().stream())
        .forEach(report -> answers.add(single.apply(report)));
    return answers;
  }

  private Answer compared(List<Row> compared) {
    List<Row> shown = compared.stream().filter(row -> !row.isEmpty()).toList();
    Answer answer = answer(shown);
    long cutCount =
        shown.stream()
            .filter(row -> row.report().orElseThrow().isOutOfTime() && !row.isOptimal())
            .count();
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
    if (compared.stream().anyMatch(row -> row.report().orElseThrow().isInterrupted())) {
      answer.line("Interrupted: plans are missing or could be smaller.");
    }
    for (Row row : compared) {
      PlanReport report = row.report().orElseThrow();
      report
          .explanation()
          .ifPresent(explanation ->
              ExplanationAnswer.addTo(
                  answer,
                  explanation,
                  (PlanInput.Tensors) report.input(),
                  Printable.of(row.input()) + ": "));
    }
    return answer;
  }

  /**
   * {@return the answer as the index of a page: all inputs, with links to the inputs with plans}
   */
  public Answer index() {
    return answer(rows);
  }

  private Answer answer(List<Row> shown) {
    Answer answer = new Answer();
    conclusion().ifPresent(conclusion -> answer.conclusion("", conclusion));
    return shown.isEmpty() ? answer : answer.table(table(shown));
  }

  /** {@return the conclusion on all inputs; empty if none needs an arena} */
  private Optional<Conclusion> conclusion() {
    List<Row> arenas = rows.stream().filter(row -> row.bytes() > 0).toList();
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
                    Numbers.grouped(arenas.stream().filter(Row::isOptimal).count()),
                    Numbers.count(arenas.size(), "plan")),
                Optional.of(ShellLine.of("plan", largest.input(), options, "--explain"))));
  }

  private static Table<Row> table(List<Row> rows) {
    InputTitles titles = new InputTitles(rows.stream().map(Row::input).toList());
    List<PlanReport> planned = rows.stream().flatMap(row -> row.report().stream()).toList();
    boolean isMicro =
        !planned.isEmpty() && planned.stream().allMatch(report -> report.micro().isPresent());
    Table<Row> table =
        Table.shown(rows)
            .shown(
                isMicro ? "kTensorArenaSize" : "INPUT",
                row -> {
                  String title = titles.of(row.input());
                  return new Figure.OnPage(Figure.text(title), Cell.link(title, row.address()));
                });
    return (isMicro ? withArenas(table) : withPlans(table, planned))
        .onPage("Note", row -> Figure.text(row.note()));
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

  private static Table<Row> withPlans(Table<Row> table, List<PlanReport> planned) {
    table.shown(
        "tensors", row -> Figure.of(row.report(), it -> Figure.count(it.input().labels().size())));
    boolean hasArenas = planned.stream().anyMatch(report -> report.bestOffsets().isPresent());
    if (hasArenas) {
      addArenas(table, planned);
      table.optionally();
    }
    if (planned.stream().anyMatch(report -> report.bestObjects().isPresent())) {
      table.shown("shared objects", row -> row.ofObjects((_, plan) -> Figure.inUnit(plan.size())));
      if (!hasArenas) {
        table.shown(
            "over bound",
            row ->
                row.ofObjects(
                    (report, plan) -> overBound(report, plan, report.objectsBoundBytes())));
      }
    }
    return table;
  }

  private static void addArenas(Table<Row> table, List<PlanReport> planned) {
    table
        .shown("best arena", row -> row.ofArena((_, plan) -> Figure.inUnit(plan.size())))
        .shown(
            "over bound",
            row ->
                row.ofArena((report, plan) -> overBound(report, plan, report.offsetsBoundBytes())));
    if (planned.stream().anyMatch(report -> report.planOfXla().isPresent())) {
      table
          .shown("XLA", row -> ofXla(row, (_, xla) -> Figure.inUnit(xla.size())))
          .shown(
              "over XLA", row -> ofXla(row, (plan, xla) -> Figure.over(plan.size(), xla.size())));
    } else {
      table.shown("saved", row -> row.ofArena(PlansAnswer::saved));
    }
    if (planned.stream().anyMatch(report -> report.order().isPresent())) {
      table.shown(
          "other order",
          row ->
              Figure.of(
                  row.report().flatMap(PlanReport::order),
                  order ->
                      order.isReordered()
                          ? Figure.inUnit(order.after().bytes())
                          : Figure.text("no better")));
    }
  }

  private static Figure overBound(PlanReport report, Plan plan, long boundBytes) {
    return Figure.overBound(report.isOptimal(plan), plan.size(), boundBytes);
  }

  /** {@return the share of the bytes without sharing that a plan saves} */
  private static Figure saved(PlanReport report, Plan.Offsets plan) {
    long naiveBytes = ((PlanInput.Tensors) report.input()).problem().naiveBytes();
    long savedBytes = naiveBytes - plan.size();
    return naiveBytes == 0
        ? Figure.none()
        : Figure.share(Numbers.percent(savedBytes, naiveBytes), (double) savedBytes / naiveBytes);
  }

  private static Figure ofXla(Row row, BiFunction<Plan.Offsets, Plan.Offsets, Figure> figure) {
    return row.ofArena(
        (report, plan) -> Figure.of(report.planOfXla(), xla -> figure.apply(plan, xla)));
  }
}
