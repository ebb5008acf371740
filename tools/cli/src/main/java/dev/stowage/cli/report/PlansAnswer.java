package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.ArenasConclusion;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/** The plans of several inputs: a row for each, on the terminal and in the index of a page. */
public final class PlansAnswer {

  private static final String WITHOUT_ARENA = "has no plan of offsets in one arena";

  private final List<String> options;
  private final List<Row> rows = new ArrayList<>();

  /**
   * An input.
   *
   * @param report its plans; empty if there are none
   * @param address the address of its page; empty if it has none
   * @param note a sentence on it for a page, such as the reason why there are no plans
   */
  public record Row(String input, Optional<PlanReport> report, String address, String note) {

    PlanReport planned() {
      return report.orElseThrow();
    }

    Optional<MicroReport> micro() {
      return planned().micro();
    }

    /** {@return the bytes of the arena, with the tail of TensorFlow Lite Micro} */
    OptionalLong arenaBytes() {
      return planned().bestOffsets().stream()
          .mapToLong(
              best -> micro().map(MicroReport::smallestArenaBytes).orElseGet(best::totalBytes))
          .findFirst();
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
    Row row = new Row(report.input().file().path(), Optional.of(report), address, "");
    List<String> notes = new ArrayList<>();
    if (report.arePlansCut()) {
      notes.add("interrupted: plans can be missing");
    }
    if (row.arenaBytes().orElse(0) > capacityBytes.orElse(Long.MAX_VALUE)) {
      notes.add("does not fit into the capacity");
    }
    rows.add(new Row(row.input(), row.report(), address, String.join("; ", notes)));
  }

  /** Adds an input without plans, and the reason. */
  public void addFailure(String input, String reason) {
    rows.add(new Row(input, Optional.empty(), "", reason));
  }

  /**
   * {@return the answers for people: one for all inputs with tensors, one for each other input}
   *
   * @param single returns the answer for one input
   */
  public List<Answer> answers(Function<PlanReport, Answer> single) {
    List<Row> planned = rows.stream().filter(row -> row.report().isPresent()).toList();
    List<Row> compared =
        planned.stream().filter(row -> row.planned().input() instanceof PlanInput.Tensors).toList();
    List<Answer> answers = new ArrayList<>();
    if (compared.size() > 1) {
      answers.add(answer(compared));
    }
    planned.stream()
        .filter(row -> compared.size() == 1 || !compared.contains(row))
        .forEach(row -> answers.add(single.apply(row.planned())));
    return answers;
  }

  private Answer answer(List<Row> compared) {
    Answer answer = new Answer();
    conclusion().ifPresent(conclusion -> answer.conclusion("", conclusion));
    boolean isXla = isXla(compared);
    List<Row> shown = shown(compared);
    if (!shown.isEmpty()) {
      answer.table(table(shown));
    }
    long cutCount = shown.stream().filter(row -> isOutOfTime(row.planned())).count();
    if (cutCount > 0) {
      answer.line(
          "%nOPTIMAL reached its time limit for %s; a higher --time-limit lets it search longer.",
          Numbers.count(cutCount, isXla ? "module" : "input"));
    }
    if (shown.size() < compared.size()) {
      answer.line(
          "%s%s without temporaries.",
          shown.isEmpty() ? "" : "\n", Numbers.count(compared.size() - shown.size(), "module"));
    }
    compared.forEach(row -> addInterruption(row.planned(), answer));
    for (Row row : compared) {
      PlanReport report = row.planned();
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

  private static boolean isOutOfTime(PlanReport report) {
    return report.isOutOfTime() && report.bestOffsets().filter(Plan::isOptimal).isEmpty();
  }

  private static void addInterruption(PlanReport report, Answer answer) {
    String path = Printable.of(report.input().file().path());
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

  /** {@return the conclusion on all inputs; empty if none has an arena} */
  public Optional<Conclusion> conclusion() {
    return ArenasConclusion.of(
        rows.stream().flatMap(row -> row.report().stream()).toList(), options);
  }

  /** {@return the answer as the index of a page: with all inputs, and links to those with plans} */
  public Answer index() {
    Answer answer = new Answer();
    conclusion().ifPresent(conclusion -> answer.conclusion("", conclusion));
    List<Row> planned = rows.stream().filter(PlansAnswer::hasArena).toList();
    Table<Row> table =
        Table.shown(rows)
            .shown(
                "INPUT",
                row ->
                    new Figure.OnPage(
                        Figure.text(row.input()), Cell.link(row.input(), row.address())));
    for (Table.Column<Row> column : table(planned).shownColumns().stream().skip(1).toList()) {
      table.shown(column.title(), row -> hasArena(row) ? column.cell().apply(row) : Figure.none());
    }
    return answer.table(table.text("", "Note", PlansAnswer::note));
  }

  /** {@return the note on an input; a reason may have its name in front of it} */
  private static String note(Row row) {
    String prefix = row.input() + ": ";
    String note = row.report().isPresent() && !hasArena(row) ? WITHOUT_ARENA : row.note();
    return note.startsWith(prefix) ? note.substring(prefix.length()) : note;
  }

  private static boolean hasArena(Row row) {
    return row.report().flatMap(PlanReport::bestOffsets).isPresent();
  }

  /** {@return true if all inputs are dumps of XLA with its own plan, or without temporaries} */
  private static boolean isXla(List<Row> rows) {
    return rows.stream()
        .allMatch(row ->
            row.planned().input() instanceof PlanInput.Tensors tensors
                && tensors.xla().isPresent()
                && (tensors.labels().isEmpty()
                    || (row.planned().planOfXla().isPresent() && row.arenaBytes().isPresent())));
  }

  /**
   * {@return the rows of a table: for XLA, the largest first, without those without temporaries}
   */
  private static List<Row> shown(List<Row> rows) {
    return isXla(rows)
        ? rows.stream()
            .filter(row -> !row.planned().input().labels().isEmpty())
            .sorted(Comparator.comparingLong((Row row) -> xlaBytes(row)).reversed())
            .toList()
        : rows;
  }

  private static Table<Row> table(List<Row> rows) {
    InputTitles titles = new InputTitles(rows.stream().map(Row::input).toList());
    Table<Row> table = Table.shown(rows);
    if (isXla(rows)) {
      return addXla(table.text("", "TEMPORARIES of modules", row -> titles.of(row.input())));
    }
    if (rows.stream().allMatch(row -> row.micro().isPresent())) {
      return table
          .text("", "kTensorArenaSize", row -> titles.of(row.input()))
          .count("", "bytes", row -> row.micro().orElseThrow().fileSize().arenaBytes())
          .count("", "with a plan", row -> row.micro().orElseThrow().smallestArenaBytes())
          .count("", "head", row -> row.micro().orElseThrow().fileSize().headBytes())
          .count("", "tail", row -> row.micro().orElseThrow().fileSize().tailBytes());
    }
    return addPlans(table.text("", "INPUT", row -> titles.of(row.input())), rows);
  }

  private static Table<Row> addXla(Table<Row> table) {
    return table
        .shown("XLA", row -> Figure.of(row.planned().planOfXla(), it -> inUnit(it)))
        .shown("best", row -> Figure.of(row.planned().bestOffsets(), it -> inUnit(it)))
        .shown("saved", row -> Figure.inUnit(xlaBytes(row) - row.arenaBytes().orElse(0)))
        .shown("less", row -> share(xlaBytes(row) - row.arenaBytes().orElse(0), xlaBytes(row)))
        .shown("proof", PlansAnswer::arenaOverBound);
  }

  private static Table<Row> addPlans(Table<Row> table, List<Row> rows) {
    boolean hasArenas = isAny(rows, row -> row.arenaBytes().isPresent());
    boolean hasObjects = isAny(rows, row -> row.planned().bestObjects().isPresent());
    table.count("", "tensors", row -> row.planned().input().labels().size());
    if (hasArenas) {
      table
          .shown("best arena", row -> inUnit(row.arenaBytes()))
          .shown("over bound", PlansAnswer::arenaOverBound)
          .shown("saved", row -> saved(row, row.planned().bestOffsets()));
    } else {
      table
          .shown("shared objects", row -> Figure.of(row.planned().bestObjects(), it -> inUnit(it)))
          .shown("over bound", PlansAnswer::objectsOverBound)
          .shown("saved", row -> saved(row, row.planned().bestObjects()));
    }
    if (isAny(rows, row -> row.planned().order().isPresent())) {
      table.shown("other order", row -> Figure.of(row.planned().order(), PlansAnswer::otherOrder));
    }
    table.optionally();
    if (hasArenas && hasObjects) {
      table.shown("best objects", row -> Figure.of(row.planned().bestObjects(), it -> inUnit(it)));
    }
    return table
        .shown("by", row -> Figure.of(best(row.planned()), plan -> Figure.text(plan.name())))
        .shown(
            "lower bound",
            row ->
                Figure.inUnit(
                    hasArenas
                        ? row.planned().offsetsBoundBytes()
                        : row.planned().objectsBoundBytes()));
  }

  private static Figure otherOrder(OrderComparison order) {
    return order.isReordered() ? Figure.inUnit(order.after().bytes()) : Figure.text("no better");
  }

  private static Optional<? extends Plan> best(PlanReport report) {
    return report.bestOffsets().isPresent() ? report.bestOffsets() : report.bestObjects();
  }

  private static boolean isAny(List<Row> rows, Predicate<Row> predicate) {
    return rows.stream().anyMatch(predicate);
  }

  private static long xlaBytes(Row row) {
    return row.planned().planOfXla().map(Plan.OfXla::totalBytes).orElse(0L);
  }

  private static Figure inUnit(Plan plan) {
    return Figure.inUnit(plan.size());
  }

  private static Figure inUnit(OptionalLong bytes) {
    return bytes.isPresent() ? Figure.inUnit(bytes.getAsLong()) : Figure.none();
  }

  private static Figure arenaOverBound(Row row) {
    return Figure.of(
        row.planned().bestOffsets(),
        best ->
            Figure.overBound(
                best.isOptimal(), best.totalBytes(), row.planned().offsetsBoundBytes()));
  }

  private static Figure objectsOverBound(Row row) {
    return Figure.of(
        row.planned().bestObjects(),
        best ->
            Figure.overBound(
                best.isOptimal(), best.totalBytes(), row.planned().objectsBoundBytes()));
  }

  /** {@return the share of the bytes without sharing that a plan saves} */
  private static Figure saved(Row row, Optional<? extends Plan> plan) {
    long naiveBytes = ((PlanInput.Tensors) row.planned().input()).problem().naiveBytes();
    return Figure.of(plan, best -> share(naiveBytes - best.size(), naiveBytes));
  }

  private static Figure share(long bytes, long allBytes) {
    return allBytes == 0
        ? Figure.none()
        : Figure.share(Numbers.percent(bytes, allBytes), (double) bytes / allBytes);
  }
}
