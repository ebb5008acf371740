package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.TuneConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.CommonAnswer;
import dev.stowage.cli.report.TuningAnswer;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.TuningInput;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningRequest;
import dev.stowage.cli.tune.TuningRunner;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.TraceTuning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import picocli.CommandLine.Model.CommandSpec;

/** The searches of {@code stowage tune}. */
final class TuneRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final TuningRequest request;
  private final BiConsumer<AllocatorKind, String> check;
  private final Optional<PageOutput> page;

  /**
   * @param check throws if an allocator cannot replay traces of a format
   */
  TuneRun(
      CommandSpec spec,
      Interruption interruption,
      AnswerPrinter printer,
      TuningRequest request,
      BiConsumer<AllocatorKind, String> check,
      Optional<PageOutput> page) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.printer = printer;
    this.request = request;
    this.check = check;
    this.page = page;
  }

  /** Tunes an allocator for traces and {@return the exit code} */
  int run(List<String> traces, TraceInputOptions input) throws IOException {
    TraceOptions options = input.toOptions();
    List<TuningInput> inputs = new ArrayList<>();
    int exitCode =
        EachFile.run(
            spec,
            traces,
            "tuned",
            (_, trace) -> {
              TuningInput read = interruption.run(() -> TuningInput.read(trace, options));
              input.note(trace, read.summary());
              check.accept(request.allocatorOf(read), read.summary().format());
              inputs.add(read);
              return ExitCode.DONE;
            });
    if (interruption.isInterrupted()) {
      return exitCode;
    }
    boolean isCommon =
        inputs.size() > 1 && inputs.stream().map(request::allocatorOf).distinct().count() == 1;
    if (inputs.size() > 1 && !isCommon) {
      diagnostics.report(
          "note: the traces have different allocators, so that they share no settings;"
              + " --allocator selects one for all");
    }
    return ExitCode.graver(exitCode, tune(inputs, isCommon ? request.common(inputs) : List.of()));
  }

  private int tune(List<TuningInput> inputs, List<Candidate> common) throws IOException {
    FileProgress progress = new FileProgress("Tuning", inputs.size());
    List<TuningReport> reports = new ArrayList<>();
    int exitCode =
        EachFile.run(
            spec,
            inputs.stream().map(TuningInput::input).toList(),
            "tuned",
            (index, _) -> {
              TuningInput input = inputs.get(index);
              TraceTuning tuning = request.tuning(input, common);
              TuningReport report = tune(input, tuning, progress.of(index, tuning.replayCount()));
              reports.add(report);
              print(TuningAnswer.of(report, TuneConclusion.of(report)));
              return report.best().result().failures() > 0 ? ExitCode.NO_PLAN : ExitCode.DONE;
            });
    Optional<CommonReport> all =
        reports.size() == inputs.size() ? CommonReport.of(reports, common) : Optional.empty();
    if (all.isPresent()) {
      print(CommonAnswer.of(all.get(), TuneConclusion.of(all.get())));
    }
    if (page.isPresent() && !reports.isEmpty()) {
      RunFacts run = CommandFacts.run(spec);
      RunFacts facts = TuneConclusion.of(reports, all).map(run::withConclusion).orElse(run);
      exitCode = ExitCode.graver(exitCode, page.get().write(FigurePages.of(reports, all, facts)));
    }
    return exitCode;
  }

  private TuningReport tune(TuningInput input, TraceTuning tuning, TerminalProgress progress) {
    TuningReport report;
    try (progress) {
      report =
          new TuningRunner(request, interruption)
              .run(input, tuning, new TuneProgress(input.input(), diagnostics, progress));
    }
    if (report.isCut()) {
      diagnostics.note(
          input.input(),
          "the search was cut after %d of %s; better settings may exist",
          tuning.doneCount(),
          Numbers.count(tuning.replayCount(), "replay"));
    }
    return report;
  }

  private void print(Answer answer) throws IOException {
    printer.print(answer, spec.commandLine().getOut());
  }
}
