package dev.stowage.cli.command;

import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.CommonAnswer;
import dev.stowage.cli.report.TuningAnswer;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.TuningAllocator;
import dev.stowage.cli.tune.TuningInput;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningRunner;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.CommonSettings;
import dev.stowage.trace.tune.SettingsSpace;
import dev.stowage.trace.tune.TraceTuning;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;

/** The searches of {@code stowage tune}. */
final class TuneRun {

  /** The number of best results that are complete, for one trace. */
  private static final int KEPT = 10;

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final Request request;
  private final Optional<PageOutput> page;
  private final long startNanos = System.nanoTime();

  /**
   * The options of the command.
   *
   * @param allocator the allocator; empty for the usual one of each trace
   * @param limitBytes the memory of the device, if it is limited
   * @param emptyCache true to release cached memory first
   * @param timeLimit the limit for a trace, if there is one
   * @param nodeLimit the limit of the plan with hindsight, if it is given
   */
  record Request(
      Optional<TuningAllocator> allocator,
      OptionalLong limitBytes,
      boolean emptyCache,
      Optional<Duration> timeLimit,
      Optional<Long> nodeLimit) {}

  TuneRun(
      CommandSpec spec,
      Interruption interruption,
      AnswerPrinter printer,
      Request request,
      Optional<PageOutput> page) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
    this.interruption = interruption;
    this.printer = printer;
    this.request = request;
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
              inputs.add(read);
              return ExitCode.DONE;
            });
    if (interruption.isInterrupted()) {
      return exitCode;
    }
    List<TuningAllocator> allocators =
        inputs.stream().map(each -> request.allocator.orElseGet(each::usualAllocator)).toList();
    boolean isCommon = inputs.size() > 1 && allocators.stream().distinct().count() == 1;
    if (inputs.size() > 1 && !isCommon) {
      diagnostics.report(
          "note: the traces have different allocators, so that they share no settings;"
              + " --allocator selects one for all");
    }
    return ExitCode.graver(exitCode, tune(inputs, allocators, isCommon));
  }

  private int tune(List<TuningInput> inputs, List<TuningAllocator> allocators, boolean isCommon)
      throws IOException {
    List<Candidate> common =
        isCommon
            ? space(allocators.getFirst())
                .candidates(inputs.stream().map(TuningInput::trace).toList())
            : List.of();
    List<TuningReport> reports = new ArrayList<>();
    int exitCode =
        EachFile.run(
            spec,
            inputs.stream().map(TuningInput::input).toList(),
            "tuned",
            (index, _) -> {
              TuningReport report =
                  tune(index, inputs.size(), inputs.get(index), allocators.get(index), common);
              reports.add(report);
              print(TuningAnswer.of(report));
              return report.best().result().failures() > 0 ? ExitCode.NO_PLAN : ExitCode.DONE;
            });
    Optional<CommonReport> all = Optional.empty();
    if (isCommon && reports.size() == inputs.size()) {
      all =
          Optional.of(
                  new CommonReport(
                      reports,
                      CommonSettings.of(
                          common, reports.stream().map(TuningReport::tuning).toList())))
              .filter(report -> !report.settings().isEmpty());
    }
    if (all.isPresent()) {
      print(CommonAnswer.of(all.get()));
    }
    if (page.isPresent() && !reports.isEmpty()) {
      exitCode =
          ExitCode.graver(
              exitCode, page.get().write(FigurePages.of(reports, all, CommandFacts.run(spec))));
    }
    return exitCode;
  }

  private TuningReport tune(
      int index, int count, TuningInput input, TuningAllocator kind, List<Candidate> common) {
    SettingsSpace space = space(kind);
    TraceTuning tuning =
        common.isEmpty()
            ? new TraceTuning(input.trace(), space, space.candidates(List.of(input.trace())), KEPT)
            // The regret of settings needs the results of all of them.
            : new TraceTuning(input.trace(), space, common, Integer.MAX_VALUE);
    TuningRunner runner =
        new TuningRunner(
            interruption,
            Runtime.getRuntime().availableProcessors(),
            request.timeLimit,
            request.nodeLimit);
    String label =
        count == 1 ? "Tuning" : String.format(Locale.ROOT, "Tuning %d of %d", index + 1, count);
    long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
    TuningRunner.Result result;
    try (TerminalProgress progress =
        new TerminalProgress(label, tuning.replayCount(), elapsedMillis)) {
      result = runner.run(input, tuning, progress::replayed);
    }
    if (result.isCut()) {
      diagnostics.note(
          input.input(),
          "the search was cut after %d of %s; better settings may exist",
          tuning.doneCount(),
          Numbers.count(tuning.replayCount(), "replay"));
    }
    return new TuningReport(
        input,
        new TuningReport.Conditions(kind, request.limitBytes, request.emptyCache),
        tuning,
        result.rows(),
        result.hindsight(),
        result.isCut());
  }

  private SettingsSpace space(TuningAllocator kind) {
    return kind.space(request.limitBytes, request.emptyCache);
  }

  private void print(Answer answer) throws IOException {
    printer.print(answer, spec.commandLine().getOut());
  }
}
