package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
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
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.JunitReport;
import dev.stowage.cli.run.OneShapePlanning;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PlanPages;
import dev.stowage.cli.run.PlannedInputs;
import dev.stowage.cli.run.ShapesPlanning;
import dev.stowage.cli.run.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
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
  private final PlanSelection selection;
  private final PlanFacts facts;
  private final FileProgress progress;

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
    selection = planning.selection(baseline.isGiven());
    facts =
        new PlanFacts(
            spec, Optional.of(selection), planning.withOptions(RecordedOptions.forPage()));
    progress = new FileProgress("Planning", files.size());
  }

  /** Plans the inputs and {@return the gravest exit code} */
  int plan(FigureGate gate, JunitReport report) throws IOException {
    Optional<String> withoutShapes = planning.withoutShapes(selection, outputs.withoutShapes());
    if (planning.hasRanges() && withoutShapes.isPresent()) {
      throw Usage.error(spec, withoutShapes.get());
    }
    outputs.check(files, planning);
    if (files.size() > 1 && !outputs.paths().isEmpty()) {
      try (PlanPages pages =
          new PlanPages(outputs.paths().getFirst(), files.size(), facts::of, facts::of, spec)) {
        int exitCode = plan(gate, pages.plans(), pages.shapes(), report.and(pages));
        return ExitCode.graver(exitCode, pages.complete());
      }
    }
    return plan(gate, outputs.planFiles(facts::of), outputs.shapesFiles(facts::of), report);
  }

  private int plan(
      FigureGate gate,
      OutputFiles<PlanReport> planFiles,
      OutputFiles<ShapesReport> shapesFiles,
      EachFile.Listener listener)
      throws IOException {
    Optional<String> withoutShapes = planning.withoutShapes(selection, outputs.withoutShapes());
    PlannedInputs read =
        new PlannedInputs(files, planning.reader(files, in), interruption, progress, spec);
    AnswerPrinter printer = format.printer();
    ShapesPlanning shapes =
        new ShapesPlanning(
            spec,
            planning.shapesRunner(baseline.isGiven(), interruption),
            printer,
            shapesFiles,
            planning.isTimeLimited(),
            gate,
            facts::conclusion);
    interruption.expect();
    OneShapePlanning oneShape =
        new OneShapePlanning(
            spec,
            interruption,
            selection,
            planning.alternatives(files, in),
            printer,
            format.isTable() && files.size() > 1,
            planFiles,
            planning.reordering(interruption),
            gate,
            facts::conclusion);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "planned",
            (index, _) ->
                switch (read.input(index)) {
                  case ShapesInput _ when withoutShapes.isPresent() ->
                      throw new InputRefusedException(withoutShapes.get());
                  case ShapesInput input -> shapes.run(input, progress.of(index, 1));
                  case PlanInput _ when planning.hasBuckets() ->
                      throw new InputRefusedException(
                          "--buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32");
                  case PlanInput input ->
                      oneShape.run(input, progress.of(index, selection.strategies().size()));
                },
            listener);
    oneShape.printTogether();
    return exitCode;
  }
}
