package dev.stowage.cli.command;

import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.tune.TuningEstimate;
import dev.stowage.cli.tune.TuningRunner;

/**
 * The progress of {@code stowage tune}: a bar on terminals, else a note with the time of a long
 * search.
 *
 * @param input the trace as on the command line
 */
record TuneProgress(String input, Diagnostics diagnostics, TerminalProgress bar)
    implements TuningRunner.Progress {

  @Override
  public void estimated(TuningEstimate estimate) {
    if (estimate.isLong() && !bar.isOnTerminal()) {
      diagnostics.note(input, estimate.toString());
    }
  }

  @Override
  public void replayed(int doneCount) {
    bar.replayed(doneCount);
  }
}
