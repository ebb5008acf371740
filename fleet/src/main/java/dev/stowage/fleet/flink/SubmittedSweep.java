package dev.stowage.fleet.flink;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;

/** A sweep that Flink runs, from its submission to its end. */
final class SubmittedSweep {

  private static final long PROGRESS_MILLIS = 500;
  private static final long CANCEL_SECONDS = 30;

  private final JobClient client;
  private final PartsFolder parts;
  private final CompletableFuture<Void> cancelled;

  SubmittedSweep(JobClient client, PartsFolder parts, CompletableFuture<Void> cancelled) {
    this.client = client;
    this.parts = parts;
    this.cancelled = cancelled;
  }

  /** Waits for the end. {@return the reason if the sweep failed as a whole} */
  Optional<String> await(Consumer<SweepProgress> progress)
      throws IOException, InterruptedException {
    CompletableFuture<?> result = client.getJobExecutionResult();
    CompletableFuture<?> end = CompletableFuture.anyOf(result, cancelled);
    while (true) {
      try {
        end.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
        if (!result.isDone()) {
          cancel(result);
        }
        return Optional.empty();
      } catch (ExecutionException e) {
        return Optional.of(RootMessage.of(e));
      } catch (TimeoutException e) {
        progress.accept(SweepProgress.of(parts.committed().values()));
      } catch (InterruptedException e) {
        CompletableFuture<Void> unused = client.cancel();
        throw e;
      }
    }
  }

  /** Waits until the subtasks have ended, so that no part is committed later. */
  private void cancel(CompletableFuture<?> result) throws InterruptedException {
    try {
      client.cancel().get(CANCEL_SECONDS, TimeUnit.SECONDS);
      result.get(CANCEL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The job ends as cancelled, or the cluster does not answer any more.
    }
  }
}
