package dev.stowage.cli;

import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.core.plan.MemoryStrategy;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows on a terminal how far a long planning is; short ones and files see nothing. */
final class TerminalProgress implements PlanRunner.Progress, AutoCloseable {

  private static final long PATIENCE_NANOS = 1_000_000_000L;

  /** Set by the start script, which knows whether the standard error is a terminal. */
  private final boolean onTerminal = Boolean.getBoolean("stowage.terminal");

  private final long startNanos = System.nanoTime();
  private final int fileCount;
  private int filesDone;
  private int begunInFile;
  private @Nullable ProgressBar bar;

  TerminalProgress(int fileCount) {
    this.fileCount = fileCount;
  }

  @Override
  public void planning(String input, MemoryStrategy strategy) {
    begunInFile++;
    if (onTerminal && bar == null && System.nanoTime() - startNanos > PATIENCE_NANOS) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("Planning")
              .setInitialMax((long) fileCount * MemoryStrategy.values().length)
              .setStyle(ProgressBarStyle.ASCII)
              .clearDisplayOnFinish()
              .build();
    }
    if (bar != null) {
      bar.stepTo((long) filesDone * MemoryStrategy.values().length + begunInFile);
      bar.setExtraMessage(strategy.name());
    }
  }

  void fileDone() {
    filesDone++;
    begunInFile = 0;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
