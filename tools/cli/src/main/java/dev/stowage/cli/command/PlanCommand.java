package dev.stowage.cli.command;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankRunner;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.PlanOutputs;
import dev.stowage.cli.option.PlanningOptions;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.BankPlanning;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PlannedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage plan}: plans the memory of models and problems. */
@Command(
    name = "plan",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Plans the memory of models and problems.",
      "A FILE is a .tflite or .onnx model, a .csv or .json problem, or a dump of XLA."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do the tensors of a model need?",
      "    stowage plan model.tflite",
      "  Do they fit into 512 KiB, all offsets aligned to 16 bytes? Exit code 4 says no.",
      "    stowage plan model.tflite --alignment 16 --capacity 512KiB",
      "  If they do not fit, which tensors are the reason?",
      "    stowage plan model.tflite --capacity 512KiB --explain",
      "  Draw the best plan, and write it for a program:",
      "    stowage plan model.tflite --output plan.html --output plan.csv",
      "  One plan for all shapes, and arenas for four parts of them:",
      "    stowage plan problem.json --dim batch=1..32 --buckets 4",
      "  Fail a build if a model needs more memory than before. Exit code 5 says so.",
      "    stowage plan *.tflite --baseline memory.json",
      "  Which programs of JAX need less memory than XLA gives them?",
      "    XLA_FLAGS=--xla_dump_to=dump python train.py; stowage plan dump",
      "  Compare models in one table, or in a script:",
      "    stowage plan *.tflite",
      "    stowage plan *.tflite --format json | jq .lower_bounds.offsets"
    })
public final class PlanCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = {
        "The file to plan; - is the standard input. A folder stands for its",
        ".tflite and .onnx models and dumps of XLA, also in subfolders."
      })
  private List<String> arguments = List.of();

  @Mixin private PlanningOptions planning = new PlanningOptions();

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  @Mixin private PlanOutputs outputs = new PlanOutputs();

  @Mixin private BaselineOptions baseline = new BaselineOptions();

  @Spec private CommandSpec spec;

  private final InputStream in;
  private final Interruption interruption;

  public PlanCommand(InputStream in, Interruption interruption) {
    this.in = in;
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    PlannedFiles planned = PlannedFiles.of(arguments, Diagnostics.of(spec));
    return ExitCode.graver(planned.exitCode(), plan(planned.paths()));
  }

  private int plan(List<String> files) throws IOException {
    baseline.check(files, outputs.paths());
    try {
      planning.readProfile(files);
    } catch (IOException e) {
      return Diagnostics.of(spec).reportFailure(planning.profilePath(), e);
    }
    return baseline.gated(
        planning::withOptions,
        files.size(),
        interruption,
        gate ->
            planning.isBanked()
                ? planBanks(files, gate)
                : new PlanRun(spec, in, interruption, files, planning, format, outputs, baseline)
                    .plan(gate));
  }

  private int planBanks(List<String> files, FigureGate gate) {
    BankRunner runner = planning.bankRunner(baseline.isGiven(), interruption);
    outputs.check(files, planning);
    PlanFacts facts =
        new PlanFacts(spec, Optional.empty(), planning.withOptions(RecordedOptions.forPage()));
    OutputFiles<BankReport> bankFiles = outputs.bankFiles(facts::of);
    InputReader reader = planning.reader(files, in);
    interruption.expect();
    return new BankPlanning(spec, runner, format.printer(), bankFiles, gate, facts::conclusion)
        .run(files, reader);
  }
}
