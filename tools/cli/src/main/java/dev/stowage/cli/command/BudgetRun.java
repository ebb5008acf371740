package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRunner;
import dev.stowage.cli.budget.BudgetTensors;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.cli.option.BudgetFormat;
import dev.stowage.cli.option.BudgetTaskOptions;
import dev.stowage.cli.option.ServiceOptions;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BudgetAnswer;
import dev.stowage.cli.report.BudgetKubernetes;
import dev.stowage.cli.run.BudgetPages;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The predictions of {@code stowage budget}. */
final class BudgetRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final ServiceOptions service;
  private final BudgetTaskOptions tasks;
  private final Calibration calibration;
  private final BudgetRequest request;
  private final AnswerPrinter printer;
  private final boolean isKubernetes;
  private final boolean isGated;
  private final Optional<ProfileInput> profile;
  private boolean hasPrinted;

  /**
   * Creates a run.
   *
   * @param calibration the constants
   * @param isGated true if there is a baseline
   * @param profile the profile of a session, if it is given
   */
  BudgetRun(
      CommandSpec spec,
      Interruption interruption,
      ServiceOptions service,
      BudgetTaskOptions tasks,
      Calibration calibration,
      BudgetFormat format,
      boolean isGated,
      Optional<ProfileInput> profile) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.service = service;
    this.tasks = tasks;
    this.calibration = calibration;
    this.isGated = isGated;
    this.profile = profile;
    isKubernetes = format.isKubernetes();
    printer = format.printer();
    request = tasks.request(service, calibration);
  }

  private BudgetRequest requestOf(String file, CpuChoice cpu) throws IOException {
    if (!calibration.isFor(cpu) && !BudgetRequest.isMicro(file)) {
      diagnostics.note(
          file,
          "the workspaces of the constants were measured on %s and are not used for %s",
          calibration.cpu().orElseThrow(),
          cpu.name());
    }
    BudgetRequest ofCpu = request.withCpu(cpu, calibration.workspacesFor(cpu));
    return profile.isPresent()
        ? ofCpu.withProfile(profile.get().of(ExistingFile.regular(file)))
        : ofCpu;
  }

  /** Predicts the memory of each model and {@return the gravest exit code} */
  int run(
      List<String> files,
      FigureGate gate,
      EachFile.Listener listener,
      BudgetFacts facts,
      BudgetPages pages) {
    return EachFile.run(
        spec,
        files,
        "budgeted",
        (_, file) -> {
          request.notes(file).forEach(note -> diagnostics.note(file, note));
          BudgetRequest ofFile =
              requestOf(file, service.machine().cpu(gate.recorded(file, BudgetFigures.CPU)));
          BudgetReport report = interruption.run(() -> new BudgetRunner(ofFile).run(file));
          Optional<BudgetTensors> tensors =
              isGated
                  ? Optional.of(interruption.run(() -> BudgetTensors.read(file, ofFile)))
                  : Optional.empty();
          print(file, report, facts);
          int exitCode = ExitCode.graver(write(report), pages.add(report, facts.of(report)));
          exitCode = ExitCode.graver(exitCode, limited(file, report));
          return ExitCode.graver(
              exitCode,
              gate.check(
                  file, options -> BudgetFigures.of(report, tensors.orElseThrow(), options)));
        },
        listener);
  }

  private void print(String file, BudgetReport report, BudgetFacts facts) throws IOException {
    List<Answer> answers =
        isKubernetes
            ? List.of(BudgetKubernetes.of(report, hasPrinted))
            : BudgetAnswer.of(report, facts.conclusion(report));
    if (isKubernetes) {
      report.unknown().forEach(sentence -> diagnostics.note(file, "unknown: " + sentence));
    }
    for (Answer answer : answers) {
      printer.print(answer, spec.commandLine().getOut());
    }
    hasPrinted = true;
  }

  /** Writes the profile, if requested, and {@return the exit code} */
  private int write(BudgetReport report) {
    if (tasks.profile().isEmpty()) {
      return ExitCode.DONE;
    }
    WholeFile file = new WholeFile(tasks.profile().get());
    return diagnostics.write(
        file.path(), () -> file.write(out -> out.write(report.model().toProfile())));
  }

  /** Reports if no shape is within the limit, and {@return the exit code} */
  private int limited(String file, BudgetReport report) {
    report.shortage().ifPresent(sentence -> diagnostics.report(file + ": " + sentence));
    return report.shortage().isPresent() ? ExitCode.NO_PLAN : ExitCode.DONE;
  }
}
