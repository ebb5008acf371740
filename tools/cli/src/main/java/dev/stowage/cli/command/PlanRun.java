package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.PlanOutputs;
import dev.stowage.cli.option.PlanningOptions;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.run.ArenaPlanning;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PlanPages;
import dev.stowage.cli.run.PlannedInputs;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
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
    selection = planning.selection(baseline.isGiven());
    facts =
        new PlanFacts(
            spec, Optional.of(selection), planning.withOptions(RecordedOptions.forPage()));
    progress = new FileProgress("Planning", files.size());
  }

  /** Plans the inputs and {@return the gravest exit code} */
  int plan(FigureGate gate) throws IOException {
    outputs.check(files, planning);
    if (files.size() > 1 && !outputs.paths().isEmpty()) {
      try (PlanPages pages =
          new PlanPages(outputs.paths().getFirst(), files.size(), facts::of, spec)) {
        int exitCode = plan(gate, pages.plans(), _ -> OutputFiles.none(spec), pages);
        return ExitCode.graver(exitCode, pages.complete());
      }
    }
    return plan(
        gate,
        outputs.planFiles(facts::of),
        bucket -> outputs.bucketFiles(facts::of, bucket),
        (_, _) -> {});
  }

  private int plan(
      FigureGate gate,
      OutputFiles<PlanReport> planFiles,
      IntFunction<OutputFiles<PlanReport>> bucketFiles,
      EachFile.Listener listener)
      throws IOException {
    PlannedInputs read =
        new PlannedInputs(files, planning.reader(files, in), interruption, progress, spec);
    AnswerPrinter printer = format.printer();
    interruption.expect();
    ArenaPlanning arenas =
        new ArenaPlanning(
            spec,
            interruption,
            selection,
            planning.alternatives(files, in),
            printer,
            format.isTable() && files.size() > 1,
            planFiles,
            bucketFiles,
            planning.bucketCount(),
            planning.reordering(interruption),
            gate,
            facts::conclusion);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "planned",
            (index, _) ->
                arenas.run(read.input(index), progress.of(index, selection.strategies().size())),
            listener);
    arenas.printTogether();
    return exitCode;
  }
}
