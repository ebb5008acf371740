package dev.stowage.fleet.flink;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.runtime.client.JobExecutionException;

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
        return Optional.of(reason(e));
      } catch (TimeoutException e) {
        progress.accept(SweepProgress.of(parts.committed().values()));
      } catch (InterruptedException e) {
        CompletableFuture<Void> unused = client.cancel();
        throw e;
      }
    }
  }

  private static String reason(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof JobCancellationException) {
        return "the job was cancelled on the cluster";
      }
      if (each instanceof JobExecutionException) {
        return RootMessage.of(failure);
      }
    }
    return "the job manager was lost ("
        + RootMessage.of(failure)
        + "): run the sweep again when it is back; with --cache, it computes only the items that"
        + " have no result";
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
