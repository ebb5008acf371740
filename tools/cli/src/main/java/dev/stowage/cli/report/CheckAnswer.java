package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.check.CheckedBank;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.math.BigInteger;
import java.util.List;
import java.util.function.ToLongFunction;

/** Checked plans, in one arena or in several banks. */
public final class CheckAnswer {

  private CheckAnswer() {}

  public static Answer of(CheckReport report) {
    PlanInput.Tensors input = report.input();
    Violations violations = new Violations(report);
    String path = Printable.of(input.file().path());
    Answer answer = new Answer();
    report.failures().forEach(failure -> answer.line("%s: %s.", path, failure));
    answer
        .line("%s: %s", path, violations.verdict(place(report)))
        .field("input", input.file().path())
        .field("format", input.file().format())
        .field("valid", report.isPassed())
        .field("records", input.labels().size())
        .field("alignment", input.problem().alignment())
        .field("total_bytes", sum(report, bank -> bank.plan().totalBytes()))
        .group(
            "lower_bounds",
            bounds ->
                bounds
                    .field("offsets", sum(report, bank -> bank.bounds().offsetsBytes()))
                    .field("objects", sum(report, bank -> bank.bounds().objectsBytes())));
    if (report.isBanked()) {
      answer.table(banks(report.banks())).field("cost", Figure.count(report.cost()));
      report.cost().ifPresent(cost -> answer.line("%nCost: %s", Numbers.grouped(cost)));
    } else {
      addArena(report, answer);
    }
    Labels.addTasks(input.file(), answer);
    return violations.addTo(answer);
  }

  private static String place(CheckReport report) {
    return report.isBanked()
        ? Numbers.count(report.banks().size(), "bank")
        : "an arena of " + ByteUnit.sentence(report.banks().getFirst().plan().totalBytes());
  }

  private static void addArena(CheckReport report, Answer answer) {
    answer.field("capacity", Figure.bytes(report.capacityBytes()));
    if (report.micro().isPresent()) {
      // The lower bound is the bound of the tensors alone, without scratch buffers.
      MicroAnswer.addTo(answer, report.micro().get(), report.capacityBytes());
      report.device().ifPresent(log -> MicroAnswer.addTo(answer, report.micro().get(), log));
      return;
    }
    CheckedBank arena = report.banks().getFirst();
    long boundBytes = arena.bounds().offsetsBytes();
    answer.facts(
        new Facts("ARENA", "bytes")
            .bytes("", "total", arena.plan().totalBytes())
            .bytes("", "lower bound", boundBytes)
            .row(
                "",
                "difference",
                Figure.bytes(arena.bytesAboveBound()),
                boundBytes == 0
                    ? Figure.none()
                    : Figure.text(Numbers.percent(arena.bytesAboveBound(), boundBytes)))
            .bytes("", "capacity", report.capacityBytes()));
  }

  /** {@return the banks of a plan} */
  static Table<CheckedBank> banks(List<CheckedBank> banks) {
    return Table.named("banks", banks)
        .text("name", "BANK", bank -> bank.bank().name())
        .data("bytes", bank -> Figure.bytes(bank.bank().bytes()))
        .count("alignment", Table.HIDDEN, bank -> bank.bank().alignment())
        .count("cost", Table.HIDDEN, bank -> bank.bank().cost())
        .count("records", "tensors", bank -> bank.records().size())
        .count("total_bytes", "bytes", bank -> bank.plan().totalBytes())
        .count("", "lower bound", bank -> bank.bounds().offsetsBytes())
        .count("", "difference", CheckedBank::bytesAboveBound)
        .json(
            "lower_bounds",
            bank ->
                Figure.group(bounds ->
                    bounds
                        .field("offsets", bank.bounds().offsetsBytes())
                        .field("objects", bank.bounds().objectsBytes())))
        .shown(
            "capacity",
            bank ->
                bank.bank().bytes().isPresent()
                    ? Figure.bytes(bank.bank().bytes())
                    : Figure.text("unlimited"))
        .count("", "alignment", bank -> bank.bank().alignment())
        .count("", "byte cost", bank -> bank.bank().cost());
  }

  /** {@return a sum over all banks; it may exceed 2^63 - 1} */
  private static Figure sum(CheckReport report, ToLongFunction<CheckedBank> bytes) {
    return new Figure.Whole(
        report.banks().stream()
            .map(bank -> BigInteger.valueOf(bytes.applyAsLong(bank)))
            .reduce(BigInteger.ZERO, BigInteger::add));
  }
}
