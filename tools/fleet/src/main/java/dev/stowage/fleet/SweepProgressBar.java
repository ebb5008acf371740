package dev.stowage.fleet;

import dev.stowage.fleet.flink.SweepProgress;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on the standard error, if it is a terminal. */
final class SweepProgressBar implements Consumer<SweepProgress>, AutoCloseable {

  private final long failureCount;
  private final @Nullable ProgressBar bar;

  /**
   * Shows a bar.
   *
   * @param itemCount the number of items
   * @param failureCount the number of inputs without items
   */
  SweepProgressBar(long itemCount, long failureCount) {
    this.failureCount = failureCount;
    // The start script sets it if the standard error is a terminal.
    bar =
        Boolean.getBoolean("stowage.terminal")
            ? new ProgressBarBuilder()
                .setTaskName("Sweeping")
                .setInitialMax(itemCount)
                .setStyle(ProgressBarStyle.ASCII)
                .continuousUpdate()
                .clearDisplayOnFinish()
                .build()
            : null;
  }

  @Override
  public void accept(SweepProgress progress) {
    if (bar != null) {
      bar.stepTo(progress.resultCount());
      bar.setExtraMessage(
          (failureCount + progress.failedCount())
              + " failed"
              + (progress.cachedCount() > 0 ? ", " + progress.cachedCount() + " cached" : ""));
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
