package dev.stowage.cli.command;

import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.cli.report.ReplaysAnswer;
import dev.stowage.cli.report.StateAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.ReplayOutputs;
import dev.stowage.cli.run.TraceFiles;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The replays of {@code stowage replay}. */
final class ReplayRun {

  private final CommandSpec spec;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final boolean isOneTable;
  private final boolean isLimited;
  private final boolean allowsFailures;
  private final ReplayFacts facts;
  private final ReplayOutputs outputs;
  private final ReplaysAnswer all = new ReplaysAnswer();

  /**
   * Creates a run.
   *
   * @param isOneTable true if all replays are printed in one table, at the end
   * @param isLimited true if the user gave a limit
   * @param allowsFailures true if a failed request is no error
   * @param facts the notes on replays
   * @param outputs the files to write
   */
  ReplayRun(
      CommandSpec spec,
      Interruption interruption,
      AnswerPrinter printer,
      boolean isOneTable,
      boolean isLimited,
      boolean allowsFailures,
      ReplayFacts facts,
      ReplayOutputs outputs) {
    this.spec = spec;
    this.interruption = interruption;
    this.printer = printer;
    this.isOneTable = isOneTable;
    this.isLimited = isLimited;
    this.allowsFailures = allowsFailures;
    this.facts = facts;
    this.outputs = outputs;
  }

  /** Replays the traces with each runner and {@return the gravest exit code} */
  int run(TraceFiles files, List<ReplayRunner> runners) throws IOException {
    outputs.keep(files.paths());
    int exitCode;
    try (outputs) {
      exitCode =
          EachFile.run(
              spec,
              files.paths(),
              "replayed",
              (_, trace) ->
                  interruption.run(() -> files.isTrace(trace))
                      ? replay(trace, runners)
                      : ExitCode.DONE,
              outputs);
      exitCode = ExitCode.graver(exitCode, outputs.complete());
    }
    if (isOneTable) {
      print(all.answer(!interruption.isInterrupted()));
    }
    return ExitCode.graver(exitCode, files.end());
  }

  private int replay(String trace, List<ReplayRunner> runners) throws Exception {
    int exitCode = ExitCode.DONE;
    for (ReplayRunner runner : runners) {
      ReplayReport report = interruption.run(() -> runner.run(trace, outputs.export()));
      if (runner == runners.getFirst()) {
        facts.notes(report).forEach(note -> Diagnostics.of(spec).note(trace, note));
      }
      Conclusion conclusion = facts.conclusion(report);
      if (isOneTable) {
        if (report.details().state().isPresent()) {
          Diagnostics.of(spec)
              .note(trace, "has no history: replay it alone to see who holds its memory");
        }
        all.add(report);
      } else {
        print(
            report.details().state().isPresent()
                ? StateAnswer.of(report, conclusion)
                : ReplayAnswer.of(report, conclusion));
      }
      exitCode = ExitCode.graver(exitCode, outputs.write(report));
      if (!isOneTable && printer.isTable()) {
        Diagnostics.of(spec).next(conclusion);
      }
      if (!allowsFailures && hasFailed(report.result())) {
        exitCode = ExitCode.graver(exitCode, ExitCode.NO_PLAN);
      }
    }
    return exitCode;
  }

  /** {@return true if requests fail under a limit, or as in the recording} */
  private boolean hasFailed(ReplayResult result) {
    return result.recordedFailures().reproduced() > 0
        || (isLimited && result.failures() > result.recordedFailures().asRecorded());
  }

  private void print(Answer answer) throws IOException {
    printer.print(answer, spec.commandLine().getOut());
  }
}
