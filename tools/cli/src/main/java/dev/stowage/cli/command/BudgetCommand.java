package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.BudgetFormat;
import dev.stowage.cli.option.BudgetTaskOptions;
import dev.stowage.cli.option.JunitOption;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.ServiceOptions;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.BudgetPages;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.JunitRun;
import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage budget}: predicts the native memory of a service that runs a model. */
@Command(
    name = "budget",
    sortOptions = false,
    description = {
      "Predicts the native memory of a service that runs each MODEL.",
      "The memory is a sum of parts for ONNX Runtime with its default options. Each part is",
      "computed from the model, calibrated (from constants that were measured with other models),",
      "or measured. The highest point counts, which may be the creation of a session."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"4:no shape fits into a --limit", "5:a budget grew against a --baseline"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory does a service with four sessions need?",
      "    stowage budget model.onnx --dim batch=1..64 --dim seq=16,128,512 --sessions 4",
      "  What is the largest batch in a container of 2 GiB with a heap of 512 MiB?",
      "    stowage budget model.onnx --dim batch=1..64 --jvm-heap 512MiB --limit 2GiB --fit batch",
      "  Is the prediction right on this machine?",
      "    stowage budget model.onnx --dim batch=8 --measure",
      "  Fail a build if a service needs more memory than before:",
      "    stowage budget model.onnx --dim batch=1..64 --baseline memory.json"
    })
public final class BudgetCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "MODEL",
      description = {
        "An .onnx model, or a .tflite model for TensorFlow Lite Micro, whose",
        "interpreters are sessions."
      })
  private List<String> files = List.of();

  @Mixin private ServiceOptions service = new ServiceOptions();

  @Mixin private BudgetTaskOptions tasks = new BudgetTaskOptions();

  @Mixin private BudgetFormat format = new BudgetFormat();

  @Mixin private BaselineOptions baseline = new BaselineOptions();

  @Mixin private JunitOption junit = new JunitOption();

  @Spec private CommandSpec spec;

  private final Interruption interruption;

  public BudgetCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    service.check();
    tasks.check(files, service, baseline);
    JunitRun run = junit.start(files, tasks.written(baseline), format.isTable(), interruption);
    return run.finish(budget(run));
  }

  private int budget(JunitRun run) throws IOException {
    boolean isOfEngine = !files.stream().allMatch(BudgetRequest::isMicro);
    Calibration calibration;
    try {
      calibration = service.machine().calibration(isOfEngine);
    } catch (IOException e) {
      return Diagnostics.of(spec).reportFailure(service.machine().constants().orElse(""), e);
    }
    Optional<ProfileInput> profile = service.profileIn().of(files);
    interruption.expect();
    if (tasks.calibrate().isPresent()) {
      return new CalibrateRun(spec, interruption, tasks.request(service, calibration))
          .run(files, tasks.calibrate().get(), run);
    }
    BudgetRun budget =
        new BudgetRun(
            spec, interruption, service, tasks, calibration, format, baseline.isGiven(), profile);
    Optional<String> note =
        isOfEngine ? calibration.otherMachine(Calibration.engineVersion()) : Optional.empty();
    note.ifPresent(sentence -> Diagnostics.of(spec).report("note: " + sentence));
    BudgetFacts facts =
        new BudgetFacts(spec, withOptions(RecordedOptions.forPage(), calibration).facts(), note);
    try (BudgetPages pages = new BudgetPages(tasks.output(), files, spec)) {
      int exitCode =
          baseline.gated(
              recorded -> withOptions(recorded, calibration),
              files.size(),
              interruption,
              gate -> budget.run(files, gate, run.and(pages), facts, pages));
      exitCode = ExitCode.graver(exitCode, pages.complete());
      if (format.isTable()) {
        facts.next();
      }
      return exitCode;
    }
  }

  private RecordedOptions withOptions(RecordedOptions recorded, Calibration calibration) {
    service.addTo(recorded, calibration);
    return recorded;
  }
}
