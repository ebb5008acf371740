package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.MicroReport;
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
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The plans of several inputs: a row for each. */
public final class PlansAnswer {

  private final List<String> options;
  private final List<PlanReport> reports = new ArrayList<>();

  /**
   * @param options the options of the command that change plans
   */
  public PlansAnswer(List<String> options) {
    this.options = List.copyOf(options);
  }

  /** Adds the plans of an input. */
  public void add(PlanReport report) {
    reports.add(report);
  }

  /**
   * {@return the answers for people: one for all inputs with tensors, one for each other input}
   *
   * @param single returns the answer for one input
   */
  public List<Answer> answers(Function<PlanReport, Answer> single) {
    List<PlanReport> compared = reports.stream().filter(PlansAnswer::isOfTensors).toList();
    boolean isCompared = compared.size() > 1;
    List<Answer> answers = new ArrayList<>();
    if (isCompared) {
      answers.add(compared(compared));
    }
    reports.stream()
        .filter(report -> !isCompared || !isOfTensors(report))
        .forEach(report -> answers.add(single.apply(report)));
    return answers;
  }

  private static boolean isOfTensors(PlanReport report) {
    return report.input() instanceof PlanInput.Tensors;
  }

  private Answer compared(List<PlanReport> compared) {
    Answer answer = new Answer().titled("Plans");
    conclusion().ifPresent(conclusion -> answer.conclusion("", conclusion));
    List<PlanReport> shown =
        compared.stream().filter(report -> !report.input().labels().isEmpty()).toList();
    if (!shown.isEmpty()) {
      answer.table(table(shown));
    }
    if (shown.size() < compared.size()) {
      answer.line(
          "%s%s without tensors.",
          shown.isEmpty() ? "" : "\n", Numbers.count(compared.size() - shown.size(), "input"));
    }
    if (compared.stream().anyMatch(PlanReport::isInterrupted)) {
      answer.line("Interrupted: plans are missing or could be smaller.");
    }
    for (PlanReport report : compared) {
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

  private static String path(PlanReport report) {
    return report.input().file().path();
  }

  /** {@return the bytes of the arena for the input as it is; 0 without an arena} */
  private static long bytes(PlanReport report) {
    return report
        .micro()
        .map(it -> it.fileSize().arenaBytes())
        .or(() -> report.bestOffsets().map(Plan::size))
        .orElse(0L);
  }

  private static boolean isOptimal(PlanReport report) {
    return report.bestOffsets().filter(report::isOptimal).isPresent();
  }

  /** {@return the conclusion on all inputs; empty if none needs an arena} */
  private Optional<Conclusion> conclusion() {
    List<PlanReport> arenas = reports.stream().filter(report -> bytes(report) > 0).toList();
    return arenas.stream()
        .max(Comparator.comparingLong(PlansAnswer::bytes))
        .map(largest ->
            new Conclusion(
                ByteUnit.human(bytes(largest)),
                Text.of(
                    "%s%s needs the largest of %s: %s.",
                    Printable.of(path(largest)),
                    largest.micro().map(micro -> micro.memory().withKernels()).orElse(""),
                    Numbers.count(arenas.size(), "arena"),
                    ByteUnit.sentence(bytes(largest))),
                Text.of(
                    "%sProved optimal: %s of %s.",
                    espNn(arenas).orElse(""),
                    Numbers.grouped(arenas.stream().filter(PlansAnswer::isOptimal).count()),
                    Numbers.count(arenas.size(), "plan")),
                Optional.of(ShellLine.of("plan", path(largest), options, "--explain"))));
  }

  /** {@return a sentence on the largest arena with ESP-NN, if one of the inputs has some} */
  private static Optional<String> espNn(List<PlanReport> arenas) {
    return arenas.stream()
        .max(Comparator.comparingLong(PlansAnswer::bytesWithEspNn))
        .flatMap(report ->
            report.micro().flatMap(micro -> micro.memory().espNn(Printable.of(path(report)))));
  }

  private static long bytesWithEspNn(PlanReport report) {
    return report
        .micro()
        .flatMap(micro -> micro.memory().largestWithEspNn())
        .map(memory -> memory.fileSize().arenaBytes())
        .orElse(0L);
  }

  private static Table<PlanReport> table(List<PlanReport> shown) {
    InputTitles titles = new InputTitles(shown.stream().map(PlansAnswer::path).toList());
    boolean isMicro = shown.stream().allMatch(report -> report.micro().isPresent());
    Table<PlanReport> table =
        Table.shown(shown)
            .text("", isMicro ? "kTensorArenaSize" : "INPUT", report -> titles.of(path(report)));
    return isMicro ? withArenas(table) : withPlans(table, shown);
  }

  private static Table<PlanReport> withArenas(Table<PlanReport> table) {
    return table
        .shown("bytes", report -> micro(report, micro -> micro.fileSize().arenaBytes()))
        .shown("with a plan", report -> micro(report, MicroReport::smallestArenaBytes))
        .shown("head", report -> micro(report, micro -> micro.fileSize().headBytes()))
        .shown("tail", report -> micro(report, micro -> micro.fileSize().tailBytes()));
  }

  private static Figure micro(PlanReport report, ToLongFunction<MicroReport> bytes) {
    return Figure.of(report.micro(), micro -> Figure.count(bytes.applyAsLong(micro)));
  }

  private static Table<PlanReport> withPlans(Table<PlanReport> table, List<PlanReport> shown) {
    boolean hasArenas = isAny(shown, PlanReport::bestOffsets);
    table
        .count("", "tensors", report -> report.input().labels().size())
        .shown(
            hasArenas ? "best arena" : "shared objects",
            report -> Figure.of(best(report), plan -> Figure.inUnit(plan.size())))
        .shown(
            "over bound",
            report ->
                Figure.of(
                    best(report),
                    plan ->
                        Figure.overBound(
                            report.isOptimal(plan), plan.size(), report.boundBytes(plan))));
    if (isAny(shown, PlanReport::planOfXla)) {
      table.shown(
          "over XLA",
          report ->
              Figure.of(
                  best(report),
                  plan ->
                      Figure.of(report.planOfXla(), xla -> Figure.over(plan.size(), xla.size()))));
    } else {
      table.shown("saved", report -> Figure.of(best(report), plan -> saved(report, plan)));
    }
    if (isAny(shown, PlanReport::order)) {
      table.shown(
          "other order",
          report ->
              Figure.of(
                  report.order(),
                  order ->
                      order.isReordered()
                          ? Figure.inUnit(order.after().bytes())
                          : Figure.text("no better")));
    }
    return table;
  }

  /** {@return the best arena, or without arenas the best shared objects} */
  private static Optional<Plan> best(PlanReport report) {
    return report.bestOffsets().<Plan>map(plan -> plan).or(report::bestObjects);
  }

  private static boolean isAny(List<PlanReport> shown, Function<PlanReport, Optional<?>> part) {
    return shown.stream().anyMatch(report -> part.apply(report).isPresent());
  }

  /** {@return the share of the bytes without sharing that a plan saves} */
  private static Figure saved(PlanReport report, Plan plan) {
    long naiveBytes = ((PlanInput.Tensors) report.input()).problem().naiveBytes();
    long savedBytes = naiveBytes - plan.size();
    return naiveBytes == 0 ? Figure.none() : Figure.share(Numbers.percent(savedBytes, naiveBytes));
  }
}
