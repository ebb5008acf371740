package dev.stowage.cli.report;

import dev.stowage.cli.check.ArenaCheck;
import dev.stowage.cli.check.BankCheckReport;
import dev.stowage.cli.check.BankCheckReport.CheckedBank;
import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.bounds.LowerBounds;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Checked plans, in one arena or in several banks. */
public final class CheckAnswer {

  private CheckAnswer() {}

  /** {@return the answer for one arena} */
  public static Answer of(CheckReport report) {
    PlanInput.Tensors input = report.input();
    Violations violations = new Violations(input, report.violations(), Map.of());
    long boundBytes = report.bounds().offsetsBytes();
    Answer answer =
        new Answer()
            .lines(failures(report))
            .line("%s", violations.verdict("an arena of " + ByteUnit.sentence(report.totalBytes())))
            .all(head(input, report.isPassed()));
    if (report.arena().isPresent()) {
      // The lower bound is that of the tensors alone, without scratch buffers.
      MicroAnswer.addTo(answer.field("total_bytes", report.totalBytes()), report.arena().get());
    } else {
      answer.facts(
          new Facts("ARENA", "bytes")
              .bytes("total_bytes", "total", report.totalBytes())
              .bytes("", "lower bound", boundBytes)
              .row(
                  "",
                  "difference",
                  Figure.bytes(report.bytesAboveBound()),
                  boundBytes == 0
                      ? Figure.none()
                      : Figure.text(Numbers.percent(report.bytesAboveBound(), boundBytes)))
              .bytes("", "capacity", report.capacityBytes()));
    }
    answer
        .group("lower_bounds", bounds -> addBounds(report.bounds(), bounds))
        .field("capacity", Figure.bytes(report.capacityBytes()));
    Labels.addTasks(input.file(), answer);
    return violations.addTo(answer);
  }

  private static List<String> failures(CheckReport report) {
    String file = Printable.of(report.input().file().path());
    return report.arena().map(ArenaCheck::failures).orElse(List.of()).stream()
        .map(failure -> file + ": " + failure + ".")
        .toList();
  }

  /** {@return the answer for several banks} */
  public static Answer of(BankCheckReport report) {
    PlanInput.Tensors input = report.input();
    Violations violations = new Violations(input, report.violations(), input.banks().ties());
    Answer answer =
        new Answer()
            .line("%s", violations.verdict(Numbers.count(report.banks().size(), "bank")))
            .all(head(input, report.violations().isEmpty()))
            .field("total_bytes", sum(report, bank -> bank.plan().totalBytes()))
            .group(
                "lower_bounds",
                bounds ->
                    bounds
                        .field("offsets", sum(report, bank -> bank.bounds().offsetsBytes()))
                        .field("objects", sum(report, bank -> bank.bounds().objectsBytes())))
            .table(banks(report.banks(), report.cost().isPresent()))
            .field("cost", Figure.count(report.cost()));
    report.cost().ifPresent(cost -> answer.line("%nCost: %s", Numbers.grouped(cost)));
    return violations.addTo(answer);
  }

  private static Answer head(PlanInput.Tensors input, boolean isValid) {
    return new Answer()
        .field("input", input.file().path())
        .field("format", input.file().format())
        .field("valid", isValid)
        .field("records", input.labels().size())
        .field("alignment", input.problem().alignment());
  }

  private static void addBounds(LowerBounds bounds, Answer answer) {
    answer.field("offsets", bounds.offsetsBytes()).field("objects", bounds.objectsBytes());
  }

  /**
   * {@return the banks of a plan}
   *
   * @param isDeclared true if their capacities, alignments and costs are known
   */
  static Table<CheckedBank> banks(List<CheckedBank> banks, boolean isDeclared) {
    Table<CheckedBank> table =
        Table.named("banks", banks)
            .text("name", "BANK", bank -> bank.bank().name())
            .data("bytes", bank -> Figure.bytes(bank.bank().bytes()));
    if (isDeclared) {
      table
          .count("alignment", Table.HIDDEN, bank -> bank.bank().alignment())
          .count("cost", Table.HIDDEN, bank -> bank.bank().cost());
    }
    table
        .count("records", "tensors", bank -> bank.records().size())
        .count("total_bytes", "bytes", bank -> bank.plan().totalBytes())
        .count("", "lower bound", bank -> bank.bounds().offsetsBytes())
        .count("", "difference", CheckedBank::bytesAboveBound)
        .json("lower_bounds", bank -> Figure.group(bounds -> addBounds(bank.bounds(), bounds)));
    if (isDeclared) {
      table
          .text("", "capacity", CheckAnswer::capacity)
          .count("", "alignment", bank -> bank.bank().alignment())
          .count("", "byte cost", bank -> bank.bank().cost());
    }
    return table;
  }

  private static String capacity(CheckedBank bank) {
    return bank.bank().bytes().isPresent()
        ? Numbers.grouped(bank.bank().bytes().getAsLong())
        : "unlimited";
  }

  /** {@return a sum over all banks, which may exceed 2^63 - 1} */
  private static Figure sum(BankCheckReport report, ToLongFunction<CheckedBank> bytes) {
    return new Figure.Whole(
        report.banks().stream()
            .map(bank -> BigInteger.valueOf(bytes.applyAsLong(bank)))
            .reduce(BigInteger.ZERO, BigInteger::add));
  }
}
