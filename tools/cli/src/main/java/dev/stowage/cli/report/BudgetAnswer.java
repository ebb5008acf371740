package dev.stowage.cli.report;

import dev.stowage.budget.MemoryPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetReport.Evidence;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.budget.PartConfidence;
import dev.stowage.cli.budget.ServiceMeasurement;
import dev.stowage.cli.budget.ServiceRule;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** The budgets of a model: people see the largest shape, programs read an answer for each shape. */
public final class BudgetAnswer {

  /** The bytes of a part of a shape, or of the whole shape. */
  private record Line(
      String part, String how, long loading, long running, long highest, String confidence) {}

  private final BudgetReport report;
  private final ShapeBudget largest;

  private BudgetAnswer(BudgetReport report) {
    this.report = report;
    largest = report.largest();
  }

  /**
   * {@return an answer for each shape; the first one is also for people}
   *
   * @param conclusion the first sentences for people
   */
  public static List<Answer> of(BudgetReport report, Conclusion conclusion) {
    BudgetAnswer made = new BudgetAnswer(report);
    List<Answer> answers = new ArrayList<>();
    for (ShapeBudget shape : report.shapes()) {
      Answer answer = made.figures(shape);
      answers.add(answers.isEmpty() ? made.tables(conclusion).all(answer) : answer);
      answers.getLast().csv(made.csv(shape));
    }
    return answers;
  }

  private Answer figures(ShapeBudget shape) {
    Answer answer =
        new Answer()
            .field("input", shape.input())
            .group("dimensions", group -> shape.dimensions().forEach(group::field))
            .field("sessions", shape.service().sessions())
            .field("threads", shape.service().threads())
            .field("cpu", Figure.orNull(report.cpu().map(cpu -> Figure.text(cpu.name()))))
            .field("engine", report.engine().name())
            .table(parts(shape))
            .field("loading_bytes", shape.budget().loadingBytes())
            .field("running_bytes", shape.budget().runningBytes())
            .field("predicted_bytes", shape.budget().highestBytes())
            .field("measured_bytes", Figure.orNull(shape.measuredBytes()));
    shape.comparisons().measured().ifPresent(measured -> addMeasured(measured, answer));
    answer
        .field("fits", shape.fits())
        .group(
            "rules",
            rules ->
                shape.comparisons().rules().forEach(rule -> rules.field(rule.name(), rule.bytes())))
        .table(
            Table.named("evidence", report.evidence())
                .text("kind", Table.HIDDEN, Evidence::kind)
                .text("sentence", Table.HIDDEN, Evidence::sentence));
    report
        .fit()
        .ifPresent(fit ->
            answer.group(
                "fit",
                group ->
                    group
                        .field("name", fit.name())
                        .field("largest", Figure.orNull(fit.largest()))
                        .field("all_up_to", Figure.orNull(fit.allUpTo()))));
    return answer;
  }

  private static void addMeasured(ServiceMeasurement measured, Answer answer) {
    answer
        .field(
            "measured_anonymous_bytes",
            measured.end().anonymousBytes() - measured.start().anonymousBytes())
        .field("measured_file_bytes", measured.end().fileBytes() - measured.start().fileBytes());
  }

  private Table<MemoryPart> parts(ShapeBudget shape) {
    return Table.named("parts", shape.budget().parts())
        .text("name", Table.HIDDEN, MemoryPart::name)
        .count("bytes", Table.HIDDEN, part -> shape.budget().highestBytes(part))
        .text("how", Table.HIDDEN, part -> part.how().toString())
        .text("confidence", Table.HIDDEN, part -> report.confidence(part).toString())
        .count("loading_bytes", Table.HIDDEN, MemoryPart::loadingBytes)
        .count("running_bytes", Table.HIDDEN, MemoryPart::runningBytes);
  }

  private Table<Line> csv(ShapeBudget shape) {
    List<Line> lines = new ArrayList<>();
    for (MemoryPart part : shape.budget().parts()) {
      lines.add(
          new Line(
              part.name(),
              part.how().toString(),
              part.loadingBytes(),
              part.runningBytes(),
              shape.budget().highestBytes(part),
              report.confidence(part).toString()));
    }
    lines.add(
        new Line(
            "predicted",
            "",
            shape.budget().loadingBytes(),
            shape.budget().runningBytes(),
            shape.budget().highestBytes(),
            PartConfidence.ESTIMATE.toString()));
    return Table.shown(lines)
        .text("input", Table.HIDDEN, _ -> shape.input())
        .text("dimensions", Table.HIDDEN, _ -> shape.shapeText().replace(", ", " "))
        .count("sessions", Table.HIDDEN, _ -> shape.service().sessions())
        .count("threads", Table.HIDDEN, _ -> shape.service().threads())
        .text("part", Table.HIDDEN, Line::part)
        .text("how", Table.HIDDEN, Line::how)
        .count("loading_bytes", Table.HIDDEN, Line::loading)
        .count("running_bytes", Table.HIDDEN, Line::running)
        .count("bytes", Table.HIDDEN, Line::highest)
        .text("cpu", Table.HIDDEN, _ -> report.cpu().map(CpuChoice::name).orElse(""))
        .text("confidence", Table.HIDDEN, Line::confidence);
  }

  private Answer tables(Conclusion conclusion) {
    Answer answer =
        new Answer()
            .conclusion(largest.input(), conclusion)
            .line(
                "%s%s, %s each%s",
                largest.dimensions().isEmpty()
                    ? ""
                    : "At " + Printable.of(largest.shapeText()) + ": ",
                Numbers.count(largest.service().sessions(), "session"),
                Numbers.count(largest.service().threads(), "thread"),
                report.cpu().map(cpu -> ", cpu " + cpu).orElse(""))
            .facts(shownParts())
            .facts(highest());
    if (report.shapes().size() > 1) {
      answer.table(
          Table.shown(report.shapes())
              .text("", "SHAPE", ShapeBudget::shapeText)
              .bytes("", "bytes", shape -> shape.budget().highestBytes())
              .text("", "", BudgetAnswer::fits));
    }
    if (!largest.comparisons().rules().isEmpty()) {
      answer.table(
          Table.shown(largest.comparisons().rules())
              .text("", "RULES OF SERVICES", ServiceRule::name)
              .bytes("", "bytes", ServiceRule::bytes));
    }
    answer.line("");
    report.evidence().forEach(it -> answer.line("%s: %s", it.kind(), Printable.of(it.sentence())));
    return answer;
  }

  private Facts shownParts() {
    Facts facts = new Facts("PART", "loading", "running", "", "");
    for (MemoryPart part : largest.budget().parts()) {
      if (part.loadingBytes() > 0 || part.runningBytes() > 0) {
        facts.row(
            "",
            part.name(),
            Figure.bytes(part.loadingBytes()),
            Figure.bytes(part.runningBytes()),
            Figure.text(part.how().toString()),
            Figure.text(report.confidence(part).toString()));
      }
    }
    return facts.row(
        "",
        "sum",
        Figure.bytes(largest.budget().loadingBytes()),
        Figure.bytes(largest.budget().runningBytes()));
  }

  private Facts highest() {
    long bytes = largest.budget().highestBytes();
    Facts facts =
        new Facts("HIGHEST", "bytes", "")
            .bytes(
                "",
                largest.budget().isHighestWhileLoading() ? "while loading" : "while running",
                bytes);
    largest
        .measuredBytes()
        .ifPresent(measured ->
            facts.bytes(
                "",
                "measured",
                measured,
                Figure.text("predicted " + signed(bytes - measured, measured))));
    return facts.bytes("", "limit", largest.service().limitBytes(), Figure.text(fits(largest)));
  }

  private static String signed(long difference, long base) {
    return (difference < 0 ? "" : "+") + Numbers.percent(difference, base);
  }

  private static String fits(ShapeBudget shape) {
    if (shape.service().limitBytes().isEmpty()) {
      return "";
    }
    return shape.fits() ? "fits" : "does not fit";
  }
}
