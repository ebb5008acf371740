package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.budget.BudgetShape;
import dev.stowage.cli.budget.Remedy;
import dev.stowage.cli.budget.ServiceSize;
import dev.stowage.cli.report.Figure.Count;
import dev.stowage.cli.report.Figure.Decimal;
import dev.stowage.pages.CurveChart;
import dev.stowage.pages.CurveChart.Curve;
import dev.stowage.pages.Page;
import dev.stowage.pages.PartBars;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The memory of a service: people see the largest shape, programs read an answer for each shape.
 */
public final class BudgetAnswer {

  private static final double NANOS = 1e9;

  private final BudgetReport report;
  private final ServiceSize service;

  private BudgetAnswer(BudgetReport report) {
    this.report = report;
    service = report.request().service();
  }

  /**
   * {@return an answer for each shape; the first one is also for people}
   *
   * @param conclusion the first sentences for people
   */
  public static List<Answer> of(BudgetReport report, Conclusion conclusion) {
    BudgetAnswer made = new BudgetAnswer(report);
    List<Answer> answers = new ArrayList<>();
    for (BudgetShape shape : report.curve()) {
      Answer answer = made.figures(shape);
      answers.add(answers.isEmpty() ? made.tables(conclusion).all(answer) : answer);
    }
    return answers;
  }

  private Answer figures(BudgetShape shape) {
    boolean isLargest = shape.equals(report.largest());
    Answer answer =
        new Answer()
            .field("input", report.input())
            .group("dimensions", group -> shape.dimensions().forEach(group::field))
            .field("sessions", service.sessions())
            .field("threads", service.threads())
            .field("concurrent", service.concurrent())
            .field("engine", report.request().engine().title())
            .group("options", group -> report.request().options().forEach(group::field))
            .field("machine", report.machine())
            .table(
                Table.named("parts", parts(shape))
                    .text("name", Table.HIDDEN, BudgetPart::name)
                    .count("bytes", Table.HIDDEN, BudgetPart::bytes))
            .field("highest_bytes", shape.highestBytes())
            .field(
                "kept_bytes", Figure.orNull(isLargest ? report.keptBytes() : OptionalLong.empty()))
            .field("limit_bytes", Figure.orNull(report.limitBytes(shape)))
            .field("fits", Figure.orNull(report.fits(shape).map(Figure.Flag::new)));
    if (!isLargest) {
      return answer;
    }
    report.more().arrivedBytes().ifPresent(bytes -> answer.field("arrived_bytes", bytes));
    report
        .more()
        .fit()
        .ifPresent(fit ->
            answer.group(
                "fit",
                group ->
                    group
                        .field("name", fit.name())
                        .field("largest", Figure.orNull(fit.largest()))));
    if (!report.more().remedies().isEmpty()) {
      answer.table(
          Table.named("remedies", report.more().remedies())
              .text("name", Table.HIDDEN, result -> result.remedy().name())
              .data("highest_bytes", result -> measured(result, new Count(result.highestBytes())))
              .data("kept_bytes", result -> measured(result, new Count(result.keptBytes())))
              .data("run_seconds", result -> measured(result, new Decimal(result.nanos() / NANOS)))
              .text("line", Table.HIDDEN, result -> result.remedy().line())
              .text("failure", Table.HIDDEN, Remedy.Result::failure));
    }
    return answer;
  }

  /** {@return a figure of a remedy; null if the remedy failed} */
  private static Figure measured(Remedy.Result result, Figure figure) {
    return result.failure().isEmpty() ? figure : new Figure.Null();
  }

  /** {@return the parts at a shape; all parts except the runs are the same at all shapes} */
  private List<BudgetPart> parts(BudgetShape shape) {
    List<BudgetPart> parts = new ArrayList<>(report.parts());
    BudgetPart runs = parts.removeLast();
    parts.add(
        new BudgetPart(
            runs.name(), runs.bytes() - report.highestBytes() + shape.highestBytes(), ""));
    return parts;
  }

  private Answer tables(Conclusion conclusion) {
    Answer answer =
        new Answer()
            .conclusion(report.input(), conclusion)
            .picture(this::addBars)
            .facts(shownParts());
    if (report.curve().size() > 1) {
      answer.picture(this::addCurve);
      Table<BudgetShape> shapes =
          Table.shown(report.curve())
              .text("", "SHAPE", BudgetShape::text)
              .bytes("", "bytes", BudgetShape::highestBytes);
      answer.table(
          service.limitBytes().isPresent() ? shapes.text("", "limit", this::fits) : shapes);
      if (report.curve().stream().anyMatch(shape -> report.fits(shape).isEmpty())) {
        answer.line("Only --fit measures smaller shapes with %s.", service.requests());
      }
    }
    addRemedies(answer);
    return answer;
  }

  private void addBars(Page page) {
    List<BudgetPart> parts = report.parts();
    page.add(
        new PartBars(
            parts.stream().map(BudgetPart::name).toList(),
            List.of(
                new PartBars.Bar(
                    "highest" + report.at(), parts.stream().map(BudgetPart::bytes).toList())),
            service.limitBytes()));
  }

  /**
   * Adds the curve: over the sizes of a dimension if only one has several sizes, and otherwise over
   * the shapes in the order of the measurement.
   */
  private void addCurve(Page page) {
    List<BudgetShape> shapes = report.curve();
    List<Curve> curves = new ArrayList<>();
    curves.add(
        new Curve("highest", "load", shapes.stream().map(BudgetShape::highestBytes).toList()));
    OptionalLong limit = service.limitBytes();
    limit.ifPresent(bytes ->
        curves.add(new Curve("limit", "capacity", Collections.nCopies(shapes.size(), bytes))));
    List<MeasuredDimension> open = report.request().open();
    boolean isOne = open.size() == 1;
    String name = isOne ? open.getFirst().name() : "shapes, in the order of the measurement";
    List<Long> places =
        isOne
            ? shapes.stream().map(shape -> shape.dimensions().getOrDefault(name, 0L)).toList()
            : LongStream.rangeClosed(1, shapes.size()).boxed().toList();
    page.add(new CurveChart(Printable.of(name), places, curves));
  }

  private void addRemedies(Answer answer) {
    if (report.more().remedies().isEmpty()) {
      return;
    }
    answer
        .table(
            Table.shown(
                    report.more().remedies().stream()
                        .filter(result -> result.failure().isEmpty())
                        .toList())
                .text("", "REMEDY", result -> result.remedy().name())
                .inUnit("", "highest", Remedy.Result::highestBytes)
                .inUnit("", "kept", Remedy.Result::keptBytes)
                .text("", "a run", Remedy.Result::time))
        .line("");
    for (Remedy.Result result : report.more().remedies()) {
      if (!result.remedy().options().isEmpty() || !result.failure().isEmpty()) {
        String text =
            result.failure().isEmpty()
                ? result.remedy().line()
                : "failed: " + Printable.of(result.failure());
        answer.line("%s: %s", result.remedy().name(), text);
      }
    }
    answer.line(
        "Shrinking fails together with Stowage's allocator. Admission lets one run at a time"
            + " allocate.");
  }

  private Facts shownParts() {
    Facts facts = new Facts("PART", "bytes", "");
    for (BudgetPart part : report.parts()) {
      String name = part.name().equals("runs") ? "runs" + report.at() : part.name();
      facts.bytes("", name, part.bytes());
    }
    facts.bytes("", "highest", report.highestBytes());
    facts.bytes("", "kept after the largest request", report.keptBytes());
    facts.bytes("", "in the order of arrival (no bound)", report.more().arrivedBytes());
    facts.bytes("", "limit to set", report.limitBytes());
    return facts.bytes("", "limit", service.limitBytes(), Figure.text(fits(report.largest())));
  }

  private String fits(BudgetShape shape) {
    boolean hasLimit = service.limitBytes().isPresent();
    return !hasLimit
        ? ""
        : report.fits(shape).map(fits -> fits ? "fits" : "does not fit").orElse("");
  }

  /** {@return the load in words: {@code 2 sessions, 1 thread each, 8 requests at a time}} */
  public static String load(BudgetRequest request) {
    ServiceSize service = request.service();
    return Text.of(
        "%s, %s each, %s%s",
        Numbers.count(service.sessions(), "session"),
        Numbers.count(service.threads(), "thread"),
        service.requests(),
        request.options().entrySet().stream()
            .map(option -> ", " + Printable.of(option.getKey() + "=" + option.getValue()))
            .collect(Collectors.joining()));
  }
}
