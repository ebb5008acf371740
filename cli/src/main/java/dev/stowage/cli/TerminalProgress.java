package dev.stowage.cli;

import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.core.plan.search.SearchProgress;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows on a terminal how far the planning or the run of one file is; short runs and files see
 * nothing.
 *
 * <p>Closed before anything is printed, so that a bar and results never share a line.
 */
final class TerminalProgress implements VerifyRunner.Progress, AutoCloseable {

  private static final long PATIENCE_MILLIS = 1_000;

  private final String label;

  /** Open until the file is done. */
  private final CountDownLatch done = new CountDownLatch(1);

  private int stepCount;
  private int stepsBegun;
  private String planning = "";
  private @Nullable ProgressBar bar;

  /**
   * A progress that is shown if the command runs longer than its user's patience.
   *
   * @param label what is done, for the user
   * @param strategyCount how many strategies will plan
   * @param elapsedMillis how long the command has run already
   */
  TerminalProgress(String label, int strategyCount, long elapsedMillis) {
    this.label = label;
    this.stepCount = strategyCount;
    // Set by the start script, which knows what the standard error is.
    boolean onTerminal = Boolean.getBoolean("stowage.terminal");
    long patienceMillis = Math.max(0, PATIENCE_MILLIS - elapsedMillis);
    if (onTerminal) {
      Thread.ofPlatform().daemon().start(() -> showAfter(patienceMillis));
    }
  }

  private void showAfter(long millis) {
    try {
      if (!done.await(millis, TimeUnit.MILLISECONDS)) {
        show();
      }
    } catch (InterruptedException e) {
      // The command is being ended: there is nobody to show anything to.
    }
  }

  private synchronized void show() {
    // It may have been done while this waited for its turn.
    if (done.getCount() > 0) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setInitialMax(stepCount)
              .setStyle(ProgressBarStyle.ASCII)
              // Also while one strategy takes long.
              .continuousUpdate()
              .clearDisplayOnFinish()
              .build();
      update(bar);
    }
  }

  private void update(ProgressBar shown) {
    shown.maxHint(stepCount);
    shown.stepTo(Math.max(0, stepsBegun - 1));
    shown.setExtraMessage(planning);
  }

  @Override
  public synchronized void planning(MemoryStrategy strategy) {
    stepsBegun++;
    show(strategy.name());
  }

  @Override
  public synchronized void loading() {
    show("the model");
  }

  @Override
  public synchronized void runningWhole(int operatorCount) {
    stepCount = operatorCount;
    stepsBegun = 0;
    show("ONNX Runtime's own run");
  }

  @Override
  public synchronized void running(int doneCount) {
    stepsBegun = doneCount + 1;
    show(message(doneCount, stepCount));
  }

  /** {@return the operator that runs in planned memory, or the run after the last one} */
  static String message(int doneCount, int operatorCount) {
    return doneCount == operatorCount
        ? "ONNX Runtime's optimized run"
        : "operator " + Numbers.grouped(doneCount + 1L);
  }

  @Override
  public synchronized void searching(SearchProgress progress) {
    show(MemoryStrategy.OPTIMAL + " " + message(progress));
  }

  @Override
  public synchronized void searchingObjects() {
    show(MemoryStrategy.OPTIMAL + " objects");
  }

  private void show(String message) {
    planning = message;
    if (bar != null) {
      update(bar);
    }
  }

  /** {@return how far a search is, the most important first, as a terminal may be narrow} */
  static String message(SearchProgress progress) {
    String bytes =
        String.format(
            Locale.ROOT,
            "%s, at least %s",
            Numbers.count(progress.bestBytes(), "byte"),
            Numbers.grouped(progress.lowerBoundBytes()));
    if (progress.nodes() == 0) {
      return bytes; // it begins with plans that take no search
    }
    double seconds = Math.max(1, progress.elapsed().toNanos()) / 1e9;
    return String.format(
        Locale.ROOT, "%s; %s nodes/s", bytes, Numbers.grouped((long) (progress.nodes() / seconds)));
  }

  @Override
  public synchronized void close() {
    done.countDown();
    if (bar != null) {
      bar.close();
    }
  }
}
