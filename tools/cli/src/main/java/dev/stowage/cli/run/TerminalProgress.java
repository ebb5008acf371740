package dev.stowage.cli.run;

import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.pages.text.ByteUnit;
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
  private final CountDownLatch done = new CountDownLatch(1);

  /** The number of steps; -1 if it is not known. */
  private int stepCount = -1;

  private int stepsBegun;
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
      if (!done.await(millis, TimeUnit.MILLISECONDS)) {
        show();
      }
    } catch (InterruptedException e) {
      // The command ends.
    }
  }

  private synchronized void show() {
    // The work may have ended while this thread waited for the monitor.
    if (done.getCount() > 0) {
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
    shown.stepTo(Math.max(0, stepsBegun - 1));
    shown.setExtraMessage(step);
  }

  /** Sets the number of steps, and shows the bar without a step. */
  public synchronized void expect(int steps) {
    stepCount = steps;
    show("");
  }

  @Override
  public synchronized void planning(MemoryStrategy strategy) {
    stepsBegun++;
    show(strategy.name());
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

  /** Shows the number of replays that ended. */
  public synchronized void replayed(int doneCount) {
    stepsBegun = doneCount + 1;
    show("replays with other settings");
  }

  /** Shows the number of samples of a process, and the resident bytes of the last one. */
  public synchronized void sampled(int sampleCount, long residentBytes) {
    stepsBegun = sampleCount + 1;
    show(ByteUnit.human(residentBytes) + " resident");
  }

  /** {@return the operator that runs in planned memory, or the run that follows the last one} */
  public static String message(int doneCount, int operatorCount) {
    return doneCount == operatorCount
        ? "ONNX Runtime's optimized run"
        : "operator " + Numbers.grouped(doneCount + 1L);
  }

  @Override
  public synchronized void searching(SearchProgress progress) {
    show(MemoryStrategy.OPTIMAL + " " + message(progress));
  }

  @Override
  public synchronized void phase(String name) {
    show(name);
  }

  private void show(String message) {
    step = message;
    if (bar != null) {
      update(bar);
    }
  }

  /** {@return the state of a search, the most important part first for narrow terminals} */
  public static String message(SearchProgress progress) {
    String bytes =
        Text.of(
            "%s, at least %s",
            Numbers.count(progress.bestBytes(), "byte"),
            Numbers.grouped(progress.lowerBoundBytes()));
    if (progress.nodes() == 0) {
      return bytes; // the search starts with quick plans
    }
    double seconds = Math.max(1, progress.elapsed().toNanos()) / 1e9;
    return Text.of("%s; %s nodes/s", bytes, Numbers.grouped((long) (progress.nodes() / seconds)));
  }

  @Override
  public synchronized void close() {
    done.countDown();
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
