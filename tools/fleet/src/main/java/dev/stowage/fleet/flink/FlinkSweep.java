package dev.stowage.fleet.flink;

import dev.stowage.fleet.worker.ScratchFolder;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A sweep on Flink: runs all items and writes their results, sorted by key.
 *
 * <p>One thread calls {@link #run}; any thread may call {@link #cancel}.
 */
public final class FlinkSweep {

  /*
   * The job is one chain: source of batches, writer of parts. No data flows between subtasks, so
   * that each subtask is a region of its own, and Flink restarts only subtasks that are lost.
   */
  private final SweepPlace place;
  private final CompletableFuture<Void> cancelled = new CompletableFuture<>();

  /** Creates a sweep. */
  public FlinkSweep(SweepPlace place) {
    this.place = place;
  }

  /** Ends the sweep early. Its results so far are kept. */
  public void cancel() {
    cancelled.complete(null);
  }

  /**
   * Runs the items and writes {@code results.jsonl}.
   *
   * @param progress is called from time to time, in the thread of the caller
   * @throws SweepException if the sweep cannot start
   * @throws IOException if the items cannot be read or the results cannot be written
   */
  public SweepOutcome run(SweepJob job, Consumer<SweepProgress> progress)
      throws IOException, InterruptedException {
    // Flink deletes its files after the sweep, and a process can end earlier.
    try (ScratchFolder temporary = ScratchFolder.create("stowage-flink-")) {
      return run(job, progress, SweepEnvironment.of(place, temporary.path()));
    }
  }

  private SweepOutcome run(
      SweepJob job, Consumer<SweepProgress> progress, StreamExecutionEnvironment environment)
      throws IOException, InterruptedException {
    BatchPlan plan = new ItemLines(job.itemsPath()).plan(environment.getParallelism());
    // Each subtask has a worker, also if there is no batch for it.
    environment.setParallelism(
        Math.max(1, Math.min(environment.getParallelism(), plan.batchCount())));
    PartsFolder parts = new PartsFolder(job.resultsPath(), UUID.randomUUID().toString());
    try {
      Optional<String> failure =
          plan.itemCount() == 0
              ? Optional.empty()
              : new SubmittedSweep(submit(environment, job, plan, parts), parts, cancelled)
                  .await(progress);
      Collection<PartName> committed = parts.committed().values();
      new PartMerge(parts.path())
          .merge(
              committed.stream().map(parts::file).toList(),
              new Path(job.resultsPath(), "results.jsonl"));
      SweepProgress results = SweepProgress.of(committed);
      progress.accept(results);
      return new SweepOutcome(plan.itemCount(), results, cancelled.isDone(), failure);
    } finally {
      parts.delete();
    }
  }

  private static JobClient submit(
      StreamExecutionEnvironment environment, SweepJob job, BatchPlan plan, PartsFolder parts) {
    environment
        .fromSource(
            new BatchSource(plan, parts),
            WatermarkStrategy.noWatermarks(),
            "batches of items",
            TypeInformation.of(Batch.class))
        .sinkTo(new BatchSink(job, parts, environment instanceof LocalStreamEnvironment))
        .name("results");
    try {
      return environment.executeAsync("stowage sweep");
    } catch (Exception e) { // Flink declares no other type.
      throw new SweepException("the sweep cannot start: " + RootMessage.of(e), e);
    }
  }
}
