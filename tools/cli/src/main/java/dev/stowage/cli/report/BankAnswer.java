package dev.stowage.cli.report;

import dev.stowage.cli.banks.BankPlan;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankSentences;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedSearchResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Plans in several banks; people see a column of bytes for each bank. */
public final class BankAnswer {

  private final BankReport report;
  private final BankedProblem problem;
  private final Answer answer = new Answer();

  private BankAnswer(BankReport report) {
    this.report = report;
    problem = report.problem();
  }

  /**
   * {@return the answer}
   *
   * @param report the plans, of which there may be none
   * @param conclusion the first sentences for people; empty if there is no plan
   */
  public static Answer of(BankReport report, Optional<Conclusion> conclusion) {
    BankAnswer made = new BankAnswer(report);
    conclusion.ifPresent(found -> made.answer.conclusion(report.input().file().path(), found));
    made.addInput();
    made.answer.table(made.records()).table(made.plans()).csv(made.csv());
    made.addLines();
    if (report.isInterrupted()) {
      made.answer.field("interrupted", true);
    }
    return made.answer;
  }

  private void addInput() {
    Labels.addFile(report.input().file(), answer)
        .field("alignment", problem.problem().alignment())
        .field("naive_bytes", problem.problem().naiveBytes());
    Labels.addTasks(report.input().file(), answer);
    answer.table(
        Table.named("banks", problem.banks())
            .text("name", Table.HIDDEN, MemoryBank::name)
            .data("bytes", bank -> Figure.bytes(bank.bytes()))
            .count("alignment", Table.HIDDEN, MemoryBank::alignment)
            .count("cost", Table.HIDDEN, MemoryBank::cost));
    if (isBounded()) {
      answer.group("lower_bounds", group -> group.field("cost", report.lowerBoundCost()));
    }
  }

  private boolean isBounded() {
    return report.lowerBoundCost() < Long.MAX_VALUE;
  }

  private Table<Integer> records() {
    Table<Integer> table =
        PlanRecords.tensors(report.input(), PlanRecords.all(problem.recordCount()))
            .count("reads", Table.HIDDEN, problem::reads)
            .data("bank", this::tiedBank);
    return Labels.add(table, report.input().labels()::get);
  }

  private Figure tiedBank(int record) {
    return problem.tiedBank(record).isPresent()
        ? Figure.text(problem.banks().get(problem.tiedBank(record).getAsInt()).name())
        : Figure.none();
  }

  private Table<BankPlan> plans() {
    return Table.named("plans", report.plans())
        .text("strategy", Table.HIDDEN, plan -> plan.strategy().name())
        .text("kind", Table.HIDDEN, _ -> "banks")
        .count("cost", Table.HIDDEN, plan -> plan.assignment().cost())
        .data("banks", plan -> bankNames(plan))
        .data("offsets", plan -> new Figure.Longs(plan.assignment().offsets()))
        .data("bank_bytes", plan -> new Figure.Longs(plan.assignment().bankBytes()))
        .data("optimal", plan -> new Figure.Flag(report.isOptimal(plan)))
        .data("seconds", plan -> new Figure.Seconds(plan.seconds()))
        .data("lower_bound", plan -> search(plan, it -> Figure.count(it.lowerBoundCost())))
        .data("nodes", plan -> search(plan, it -> Figure.count(it.nodes())))
        .data("ended", plan -> search(plan, BankAnswer::end));
  }

  private Figure bankNames(BankPlan plan) {
    return Figure.sequence(
        PlanRecords.all(problem.recordCount()), i -> Figure.text(report.bank(plan, i).name()));
  }

  private static Figure search(BankPlan plan, Function<BankedSearchResult, Figure> figure) {
    return plan.search().map(figure).orElseGet(Figure::none);
  }

  private static Figure end(BankedSearchResult search) {
    return Figure.text(search.end().name().toLowerCase(Locale.ROOT));
  }

  private Table<BankPlan> csv() {
    Figure noSearch = report.isInterrupted() ? Figure.text("interrupted") : Figure.none();
    return Table.named("plans", report.plans())
        .data("input", _ -> Figure.text(report.input().file().path()))
        .data("strategy", plan -> Figure.text(plan.strategy().name()))
        .data("kind", _ -> Figure.text("banks"))
        .data("cost", plan -> Figure.count(plan.assignment().cost()))
        .data("lower_bound_cost", _ -> Figure.count(report.lowerBoundCost()))
        .data("optimal", plan -> new Figure.Flag(report.isOptimal(plan)))
        .data("seconds", plan -> new Figure.Seconds(plan.seconds()))
        .data("nodes", plan -> search(plan, it -> Figure.count(it.nodes())))
        .data("ended", plan -> plan.search().map(BankAnswer::end).orElse(noSearch))
        .data("bank_bytes", plan -> Figure.text(bankBytes(plan)));
  }

  /** {@return the bytes of each bank, such as {@code sram=1024 dram=0}} */
  private String bankBytes(BankPlan plan) {
    long[] bytes = plan.assignment().bankBytes();
    return IntStream.range(0, bytes.length)
        .mapToObj(bank -> problem.banks().get(bank).name() + "=" + bytes[bank])
        .collect(Collectors.joining(" "));
  }

  private void addLines() {
    report
        .reasons()
        .verdict()
        .ifPresentOrElse(
            verdict ->
                answer.line(
                    "%s: N%s.",
                    Printable.of(report.input().file().path()), Printable.of(verdict.substring(1))),
            () -> answer.facts(banks()));
    List<String> sentences = BankSentences.of(report);
    if (!sentences.isEmpty()) {
      answer.line("").lines(sentences);
    }
  }

  private Facts banks() {
    List<MemoryBank> banks = problem.banks();
    Facts facts =
        new Facts(
            Stream.concat(
                    Stream.of("BANKS", "cost", "over bound"), banks.stream().map(MemoryBank::name))
                .toArray(String[]::new));
    for (BankPlan plan : report.plans()) {
      long cost = plan.assignment().cost();
      row(
          facts,
          plan.strategy().name(),
          Figure.count(cost),
          Figure.overBound(report.isOptimal(plan), cost, report.lowerBoundCost()),
          Arrays.stream(plan.assignment().bankBytes()).mapToObj(Figure::bytes));
    }
    if (isBounded()) {
      facts.row("", "lower bound", Figure.count(report.lowerBoundCost()));
    }
    row(facts, "capacity", Figure.none(), Figure.none(), banks.stream().map(BankAnswer::capacity));
    row(
        facts,
        "cost of a byte",
        Figure.none(),
        Figure.none(),
        banks.stream().map(bank -> Figure.count(bank.cost())));
    return facts;
  }

  private static void row(
      Facts facts, String label, Figure cost, Figure quality, Stream<Figure> banks) {
    List<Figure> figures = new ArrayList<>(List.of(cost, quality));
    banks.forEach(figures::add);
    facts.row("", label, figures.toArray(Figure[]::new));
  }

  private static Figure capacity(MemoryBank bank) {
    return bank.bytes().isPresent() ? Figure.bytes(bank.bytes()) : Figure.text("unlimited");
  }
}
