package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRunner;
import dev.stowage.cli.budget.BudgetTensors;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CalibrationRunner;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.option.BudgetTaskOptions;
import dev.stowage.cli.option.ServiceOptions;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BudgetAnswer;
import dev.stowage.cli.report.BudgetKubernetes;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;

/** The predictions of {@code stowage budget}, and the measurement of constants. */
final class BudgetRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final List<String> files;
  private final ServiceOptions service;
  private final BudgetTaskOptions tasks;
  private final Calibration calibration;
  private final BudgetRequest request;
  private final AnswerPrinter printer;
  private final boolean isKubernetes;
  private final boolean isGated;
  private boolean hasPrinted;

  /**
   * Creates a run.
   *
   * @param files the models
   * @param calibration the constants
   * @param isKubernetes true to print the resources of containers
   * @param isGated true if there is a baseline
   */
  BudgetRun(
      CommandSpec spec,
      Interruption interruption,
      List<String> files,
      ServiceOptions service,
      BudgetTaskOptions tasks,
      Calibration calibration,
      AnswerPrinter printer,
      boolean isKubernetes,
      boolean isGated) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.files = files;
    this.service = service;
    this.tasks = tasks;
    this.calibration = calibration;
    this.printer = printer;
    this.isKubernetes = isKubernetes;
    this.isGated = isGated;
    request = service.request(calibration, tasks);
  }

  /** {@return a sentence on constants of another machine; empty if they are those of this one} */
  Optional<String> otherMachine() {
    String machine = calibration.constants().origin().machine();
    return machine.equals(Calibration.thisMachine())
            || files.stream().allMatch(BudgetRequest::isMicro)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the constants are those of another machine (%s, this one is %s); --calibrate FILE measures those of this one",
                machine,
                Calibration.thisMachine()));
  }

  /** Prints a note on options that have no effect on a .tflite model. */
  private void noteMicro(String file) {
    if (!BudgetRequest.isMicro(file)) {
      return;
    }
    if (!service.dimensionNames().isEmpty()) {
      diagnostics.note(
          file,
          "the model has no open dimension named "
              + String.join(", ", service.dimensionNames())
              + "; .tflite models have no open dimensions");
    }
    if (tasks.isMeasured()) {
      diagnostics.note(file, "--measure runs .onnx models only; this model is not measured");
    }
  }

  /**
   * {@return the request for the processor of the option, else of the entry in the baseline, else
   * of this machine}
   */
  private BudgetRequest withCpu(Optional<String> recorded, String file) {
    CpuChoice cpu =
        service
            .machine()
            .cpu()
            .or(() -> recorded.flatMap(CpuChoice::of))
            .orElseGet(CpuChoice::ofThisMachine);
    if (!calibration.isFor(cpu) && !BudgetRequest.isMicro(file)) {
      diagnostics.note(
          file,
          "the workspaces of the constants were measured on %s and are not used for %s",
          calibration.cpu().orElseThrow(),
          cpu.name());
    }
    return request.withCpu(cpu, calibration.workspacesFor(cpu));
  }

  /** Predicts the memory of each model and {@return the gravest exit code} */
  int budget(FigureGate gate, EachFile.Listener listener, ToIntFunction<BudgetReport> page) {
    return EachFile.run(
        spec,
        files,
        "budgeted",
        (_, file) -> {
          noteMicro(file);
          BudgetRequest ofFile = withCpu(gate.recorded(file, BudgetFigures.CPU), file);
          BudgetReport report = interruptible(() -> new BudgetRunner(ofFile).run(file));
          Optional<BudgetTensors> tensors =
              isGated
                  ? Optional.of(interruptible(() -> BudgetTensors.read(file, ofFile)))
                  : Optional.empty();
          print(report);
          int exitCode = ExitCode.graver(write(report), page.applyAsInt(report));
          exitCode = ExitCode.graver(exitCode, limited(file, report));
          return ExitCode.graver(
              exitCode,
              gate.check(
                  file, options -> BudgetFigures.of(report, tensors.orElseThrow(), options)));
        },
        listener);
  }

  private <T> T interruptible(Interruption.Work<T, IOException> work) throws IOException {
    return interruption.run(work);
  }

  /** Measures constants, writes them to a file, and {@return the exit code} */
  int calibrate(String path, EachFile.Listener listener) throws IOException {
    CalibrationRunner runner = new CalibrationRunner(request);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "measured",
            (_, file) -> {
              interruptible(() -> {
                runner.measure(file);
                return true;
              });
              return ExitCode.DONE;
            },
            listener);
    if (exitCode != ExitCode.DONE || interruption.isInterrupted()) {
      return exitCode;
    }
    return write(path, runner.calibration()::write);
  }

  private void print(BudgetReport report) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Answer> answers =
        isKubernetes ? List.of(BudgetKubernetes.of(report, hasPrinted)) : BudgetAnswer.of(report);
    for (Answer answer : answers) {
      printer.print(answer, out);
    }
    hasPrinted = true;
  }

  /** Writes the profile, if requested, and {@return the exit code} */
  private int write(BudgetReport report) {
    return tasks.profile().isEmpty()
        ? ExitCode.DONE
        : write(tasks.profile().get(), out -> out.write(report.model().toProfile()));
  }

  private int write(String path, WholeFile.Content content) {
    return diagnostics.write(path, () -> new WholeFile(path).write(content));
  }

  /** Reports if no shape is within the limit, and {@return the exit code} */
  private int limited(String file, BudgetReport report) {
    Optional<String> shortage = report.shortage();
    shortage.ifPresent(sentence -> diagnostics.report(file + ": " + sentence));
    return shortage.isPresent() ? ExitCode.NO_PLAN : ExitCode.DONE;
  }
}
