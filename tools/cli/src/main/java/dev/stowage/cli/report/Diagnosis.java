package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.trace.explain.ReplayExplanation;

/** The lines of tables on a failure, for pages. */
public final class Diagnosis {

  private Diagnosis() {}

  /**
   * {@return the lines on failed requests that the table of a report prints; empty if none failed}
   */
  public static String of(ReplayReport report) {
    Answer answer = new Answer().lines(ReplayAnswer.failures(report));
    report
        .details()
        .explanation()
        .flatMap(ReplayExplanation::failure)
        .ifPresent(failure -> WorstFailureParts.add(failure, report.firstFailureEvent(), answer));
    return TerminalPrinter.text(answer);
  }
}
