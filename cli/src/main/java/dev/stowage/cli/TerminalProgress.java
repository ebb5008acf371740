package dev.stowage.cli;

import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.core.plan.MemoryStrategy;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows on a terminal how far the planning of one file is; short runs and files see nothing.
 *
 * <p>Closed before anything is printed, so that a bar and results never share a line.
 */
final class TerminalProgress implements PlanRunner.Progress, AutoCloseable {

  private static final long PATIENCE_MILLIS = 1_000;

  private final String label;
  private final int strategyCount;

  /** Waits for the time to show something; none where the standard error is no terminal. */
  private final @Nullable Thread waiting;

  private int strategiesBegun;
  private String planning = "";
  private @Nullable ProgressBar bar;
  private boolean closed;

  /**
   * A progress that is shown if the command runs longer than its user's patience.
   *
   * @param label what is done, for the user
   * @param strategyCount how many strategies will plan
   * @param elapsedMillis how long the command has run already
   */
  TerminalProgress(String label, int strategyCount, long elapsedMillis) {
    this.label = label;
    this.strategyCount = strategyCount;
    // Set by the start script, which knows what the standard error is.
    boolean onTerminal = Boolean.getBoolean("stowage.terminal");
    long patienceMillis = Math.max(0, PATIENCE_MILLIS - elapsedMillis);
    waiting =
        onTerminal ? Thread.ofPlatform().daemon().start(() -> showAfter(patienceMillis)) : null;
  }

  private void showAfter(long millis) {
    try {
      Thread.sleep(millis);
      show();
    } catch (InterruptedException e) {
      // The file was done before.
    }
  }

  private synchronized void show() {
    if (!closed) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setInitialMax(strategyCount)
              .setStyle(ProgressBarStyle.ASCII)
              .clearDisplayOnFinish()
              .build();
      update(bar);
    }
  }

  private void update(ProgressBar shown) {
    shown.stepTo(Math.max(0, strategiesBegun - 1));
    shown.setExtraMessage(planning);
  }

  @Override
  public synchronized void planning(MemoryStrategy strategy) {
    planning = strategy.name();
    strategiesBegun++;
    if (bar != null) {
      update(bar);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (waiting != null) {
      waiting.interrupt();
    }
    if (bar != null) {
      bar.close();
    }
  }
}
