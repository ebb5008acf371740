package dev.stowage.cli.command;

import dev.stowage.cli.banks.BankFiles;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankSelection;
import dev.stowage.cli.input.FileInput;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.PlanOutputs;
import dev.stowage.cli.option.PlanningOptions;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.plan.ShapesFigures;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.run.BankPlanning;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.JunitRun;
import dev.stowage.cli.run.OneShapePlanning;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PlanPages;
import dev.stowage.cli.run.ShapesPlanning;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The run of {@code stowage plan} on its inputs. */
final class PlanRun {

  private final CommandSpec spec;
  private final InputStream in;
  private final Interruption interruption;
  private final List<String> files;
  private final PlanningOptions planning;
  private final TableJsonCsv format;
  private final PlanOutputs outputs;
  private final BaselineOptions baseline;
  private final long startNanos = System.nanoTime();

  PlanRun(
      CommandSpec spec,
      InputStream in,
      Interruption interruption,
      List<String> files,
      PlanningOptions planning,
      TableJsonCsv format,
      PlanOutputs outputs,
      BaselineOptions baseline) {
    this.spec = spec;
    this.in = in;
    this.interruption = interruption;
    this.files = files;
    this.planning = planning;
    this.format = format;
    this.outputs = outputs;
    this.baseline = baseline;
  }

  /** Plans the inputs and {@return the gravest exit code} */
  int plan(FigureGate gate, JunitRun run) throws IOException {
    if (planning.isBanked()) {
      return planBanks(gate, run);
    }
    PlanSelection selection = planning.selection(baseline.isGiven());
    Optional<String> withoutShapes = planning.withoutShapes(selection, outputs);
    if (planning.hasRanges() && withoutShapes.isPresent()) {
      throw Usage.error(spec, withoutShapes.get());
    }
    outputs.check(files, false);
    if (!outputs.paths().isEmpty() && planning.isObjects()) {
      throw Usage.error(
          spec, "--output writes an offsets plan, which --kind objects does not plan");
    }
    PlanFacts facts =
        new PlanFacts(spec, selection, planning.withOptions(RecordedOptions.forPage()));
    if (files.size() > 1 && !outputs.paths().isEmpty()) {
      try (PlanPages pages =
          new PlanPages(outputs.paths().getFirst(), files.size(), facts::of, spec)) {
        int exitCode = plan(selection, gate, pages.plans(), pages.shapes(), run.and(pages));
        return ExitCode.graver(exitCode, pages.complete());
      }
    }
    return plan(selection, gate, outputs.planFiles(facts::of), outputs.shapesFiles(), run);
  }

  private int plan(
      PlanSelection selection,
      FigureGate gate,
      OutputFiles<PlanReport> planFiles,
      OutputFiles<ShapesReport> shapesFiles,
      EachFile.Listener listener)
      throws IOException {
    Optional<String> withoutShapes = planning.withoutShapes(selection, outputs);
    InputReader reader = planning.reader(files, in);
    AnswerPrinter printer = format.printer();
    ShapesPlanning shapes = shapesPlanning(printer, gate, shapesFiles);
    interruption.expect();
    OneShapePlanning oneShape =
        new OneShapePlanning(
            spec,
            interruption,
            selection,
            planning.alternatives(files, in),
            printer,
            isTable() && files.size() > 1,
            planFiles,
            planning.reordering(interruption),
            gate);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "planned",
            (index, _) -> {
              FileInput read = read(index, reader);
              if (read instanceof ShapesInput input) {
                if (withoutShapes.isPresent()) {
                  throw new InputRefusedException(withoutShapes.get());
                }
                return shapes.run(input, progress(index, 1));
              }
              if (planning.hasBuckets()) {
                throw new InputRefusedException(
                    "--buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32");
              }
              return oneShape.run((PlanInput) read, progress(index, selection.strategies().size()));
            },
            listener);
    oneShape.printTogether();
    return exitCode;
  }

  /** Plans several banks and {@return the exit code} */
  private int planBanks(FigureGate gate, JunitRun run) {
    BankSelection requested = planning.bankSelection(baseline.isGiven());
    outputs.check(files, true);
    OutputFiles<BankReport> bankFiles =
        OutputFiles.of(
            outputs.paths(), BankFiles::of, ".csv, .json, .html or .h with --bank", spec);
    InputReader reader = planning.reader(files, in);
    interruption.expect();
    return new BankPlanning(spec, interruption, requested, format.printer(), bankFiles, gate)
        .run(files, reader, run);
  }

  private ShapesPlanning shapesPlanning(
      AnswerPrinter printer, FigureGate gate, OutputFiles<ShapesReport> shapesFiles) {
    return new ShapesPlanning(
        spec,
        planning.shapesRunner(baseline.isGiven(), interruption),
        printer,
        shapesFiles,
        (report, recorded) -> ShapesFigures.of(report, recorded, planning.isTimeLimited()),
        gate);
  }

  private FileInput read(int index, InputReader reader) throws IOException {
    String file = files.get(index);
    try (TerminalProgress _ = progress(index, 0)) {
      FileInput input = interruption.run(() -> reader.read(file));
      input.file().notes().forEach(note -> Diagnostics.of(spec).note(file, note));
      return input;
    }
  }

  private boolean isTable() {
    return format.format() == TableJsonCsv.Format.table;
  }

  private TerminalProgress progress(int index, int strategyCount) {
    String label =
        files.size() == 1
            ? "Planning"
            : String.format(Locale.ROOT, "Planning %d of %d", index + 1, files.size());
    long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
    return new TerminalProgress(label, strategyCount, elapsedMillis);
  }
}
