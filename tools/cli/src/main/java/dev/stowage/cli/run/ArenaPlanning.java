package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.CapacityCheck;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.PlanFigures;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.plan.RangeReport;
import dev.stowage.cli.plan.RangeRunner;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.cli.report.PlanComparison;
import dev.stowage.pages.text.Conclusion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import picocli.CommandLine.Model.CommandSpec;

/** The part of {@code stowage plan} for inputs in one arena. */
public final class ArenaPlanning {

  private final CommandSpec spec;
  private final PlanSelection selection;
  private final Alternatives alternatives;
  private final AnswerPrinter printer;
  private final boolean isTogether;
  private final OutputFiles<PlanReport> files;
  private final IntFunction<OutputFiles<PlanReport>> bucketFiles;
  private final Optional<Reordering> reordering;
  private final FigureGate gate;
  private final Function<PlanReport, Optional<Conclusion>> conclusions;
  private final PlanRunner runner;
  private final RangeRunner ranges;
  private final int buckets;
  private final List<PlanReport> kept = new ArrayList<>();

  /** The files of each note that is not yet printed; several models can share one. */
  private final Map<String, List<String>> notes = new LinkedHashMap<>();

  /**
   * Creates the part.
   *
   * @param alternatives the options whose effects are explained
   * @param isTogether true if all reports are printed in one table, at the end
   * @param bucketFiles returns the files of a bucket, numbered from 1
   * @param buckets the most parts of the shapes of an input
   * @param reordering searches for orders of operators, if requested
   * @param conclusions returns the conclusion of a report, which people read first
   */
  public ArenaPlanning(
      CommandSpec spec,
      Interruption interruption,
      PlanSelection selection,
      Alternatives alternatives,
      AnswerPrinter printer,
      boolean isTogether,
      OutputFiles<PlanReport> files,
      IntFunction<OutputFiles<PlanReport>> bucketFiles,
      int buckets,
      Optional<Reordering> reordering,
      FigureGate gate,
      Function<PlanReport, Optional<Conclusion>> conclusions) {
    this.spec = spec;
    this.selection = selection;
    this.alternatives = alternatives;
    this.printer = printer;
    this.isTogether = isTogether;
    this.files = files;
    this.bucketFiles = bucketFiles;
    this.buckets = buckets;
    this.reordering = reordering;
    this.gate = gate;
    this.conclusions = conclusions;
    runner = new PlanRunner(selection, interruption);
    ranges = new RangeRunner(selection, buckets, interruption);
  }

  /** Plans an input, prints and writes its plans, and {@return the exit code} */
  public int run(PlanInput input, TerminalProgress progress)
      throws IOException, InputRefusedException {
    PlanReport report;
    try (progress) {
      report = plan(input, progress);
      for (String note : report.notes()) {
        notes.computeIfAbsent(note, _ -> new ArrayList<>()).add(input.file().path());
      }
      if (!isTogether) {
        printNotes();
      }
    }
    Optional<Conclusion> conclusion = conclusions.apply(report);
    if (isTogether) {
      kept.add(report);
    } else {
      printer.print(
          PlanAnswer.of(report, conclusion, selection.isExplained()), spec.commandLine().getOut());
    }
    int exitCode = finish(report);
    if (!isTogether && printer.isTable()) {
      conclusion.ifPresent(Diagnostics.of(spec)::next);
    }
    boolean hasResult = exitCode == ExitCode.DONE || exitCode == ExitCode.NO_PLAN;
    return hasResult
        ? ExitCode.graver(
            exitCode, gate.check(input.file().path(), options -> PlanFigures.of(report, options)))
        : exitCode;
  }

  private PlanReport plan(PlanInput input, TerminalProgress progress)
      throws IOException, InputRefusedException {
    boolean hasRanges = input instanceof PlanInput.Tensors it && it.ranges().isPresent();
    if (buckets > 1 && !hasRanges) {
      throw new InputRefusedException(
          "--buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32");
    }
    if (reordering.isEmpty()) {
      PlanReport report = runner.run(input, alternatives.of(input), progress);
      return hasRanges && report.input() instanceof PlanInput.Tensors planned
          ? ranges.compared(report, planned, progress)
          : report;
    }
    Optional<OrderedModel> model = reordering.get().read(input.file().path());
    PlanReport report = runner.run(input, alternatives.of(input), progress);
    progress.phase("order of operators");
    return reordering.get().compared(report, model);
  }

  private void printNotes() {
    notes.forEach((note, paths) -> Diagnostics.of(spec).note(String.join(", ", paths), note));
    notes.clear();
  }

  /** Prints the notes and reports that are printed together. */
  public void printTogether() throws IOException {
    printNotes();
    for (Answer answer :
        PlanComparison.of(kept, conclusions, new PlanConclusions(spec).options().words())) {
      printer.print(answer, spec.commandLine().getOut());
    }
  }

  /** Writes the files of a report, compares it with the capacity and {@return the exit code} */
  private int finish(PlanReport report) {
    String file = report.input().file().path();
    OptionalLong limit = selection.capacityBytes(report.input().file());
    if (limit.isPresent() && report.bounds().isEmpty()) {
      Diagnostics.of(spec)
          .report(
              file
                  + ": a capacity is in bytes, but textures have texels; omit --capacity and the key 'capacity'");
      return ExitCode.BAD_INPUT;
    }
    int exitCode = write(report);
    if (!report.outOfMemory().isEmpty()) {
      exitCode =
          ExitCode.graver(
              exitCode, Diagnostics.of(spec).reportOutOfMemory(file, report.outOfMemory()));
    }
    Optional<CapacityCheck.Shortage> shortage = CapacityCheck.shortage(report, limit);
    if (shortage.isPresent()) {
      Diagnostics.of(spec).report(file + ": " + shortage.get().text());
      return ExitCode.graver(exitCode, ExitCode.NO_PLAN);
    }
    return exitCode;
  }

  private int write(PlanReport report) {
    if (!files.isEmpty() && report.bestOffsets().isEmpty()) {
      Diagnostics.of(spec)
          .report(
              report.input().file().path()
                  + ": --output needs an offsets plan, and the input has none");
      return ExitCode.BAD_INPUT;
    }
    if (!files.isEmpty() && report.isReordered()) {
      Diagnostics.of(spec)
          .note(
              report.input().file().path(),
              "--output writes the plan of the order of the file; stowage rewrite --reorder writes the model in the better order");
    }
    int exitCode = files.write(report);
    List<RangeReport.Bucket> parts = report.ranges().map(RangeReport::buckets).orElse(List.of());
    for (int i = 0; i < parts.size(); i++) {
      exitCode = ExitCode.graver(exitCode, bucketFiles.apply(i + 1).write(parts.get(i).report()));
    }
    return exitCode;
  }
}
