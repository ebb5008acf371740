package dev.stowage.cli.run;

import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.search.SearchProgress;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar for one file, on terminals and if the work takes longer than a second.
 *
 * <p>The command closes the bar before it prints anything. The bar and results therefore never
 * share a line.
 */
public final class TerminalProgress implements VerifyRunner.Progress, AutoCloseable {

  private static final long DELAY_MILLIS = 1_000;

  private final String label;

  /** Counted down when the work on the file ends. */
  private final CountDownLatch ended = new CountDownLatch(1);

  /** The number of steps; -1 if it is not known. */
  private int stepCount = -1;

  private int stepsDone;
  private int strategiesBegun;
  private String step = "";
  private @Nullable ProgressBar bar;

  /**
   * Creates a bar that appears after a second of the command.
   *
   * @param elapsedMillis the time that the command has run so far
   */
  TerminalProgress(String label, long elapsedMillis) {
    this.label = label;
    // The start script sets it if the standard error is a terminal.
    if (Boolean.getBoolean("stowage.terminal")) {
      long delayMillis = Math.max(0, DELAY_MILLIS - elapsedMillis);
      Thread.ofPlatform().daemon().start(() -> showAfter(delayMillis));
    }
  }

  private void showAfter(long millis) {
    try {
      if (!ended.await(millis, TimeUnit.MILLISECONDS)) {
        show();
      }
    } catch (InterruptedException e) {
      // The command ends.
    }
  }

  private synchronized void show() {
    // The work may have ended while this thread waited for the monitor.
    if (ended.getCount() > 0) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setInitialMax(stepCount)
              .setStyle(ProgressBarStyle.ASCII)
              // The bar also moves while one strategy runs.
              .continuousUpdate()
              .clearDisplayOnFinish()
              .build();
      update(bar);
    }
  }

  private void update(ProgressBar shown) {
    shown.maxHint(stepCount);
    shown.stepTo(stepsDone);
    shown.setExtraMessage(step);
  }

  /** Sets the number of steps, and shows the bar without a step. */
  public synchronized void expect(int steps) {
    stepCount = steps;
    phase("");
  }

  /** Shows the number of steps that are done, and a text. */
  public synchronized void done(int doneCount, String text) {
    stepsDone = doneCount;
    phase(text);
  }

  @Override
  public synchronized void planning(MemoryStrategy strategy) {
    done(strategiesBegun++, strategy.name());
  }

  @Override
  public synchronized void runningWhole(int operatorCount) {
    stepCount = operatorCount;
    done(0, "ONNX Runtime's own run");
  }

  @Override
  public synchronized void running(int doneCount) {
    done(doneCount, "operators in planned memory");
  }

  @Override
  public void searching(SearchProgress progress) {
    phase(
        Text.of(
            "%s %s, at least %s",
            MemoryStrategy.OPTIMAL,
            Numbers.count(progress.bestBytes(), "byte"),
            Numbers.grouped(progress.lowerBoundBytes())));
  }

  @Override
  public synchronized void phase(String name) {
    step = name;
    if (bar != null) {
      update(bar);
    }
  }

  @Override
  public synchronized void close() {
    ended.countDown();
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
