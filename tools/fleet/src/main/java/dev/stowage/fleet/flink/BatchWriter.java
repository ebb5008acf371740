package dev.stowage.fleet.flink;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import dev.stowage.fleet.worker.WorkerStartException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Runs batches in one subtask, with one worker. */
final class BatchWriter implements SinkWriter<Batch> {

  private final ItemLines items;
  private final LocalInputs inputs;
  private final PartsFolder parts;
  private final ItemWorker worker;

  private BatchWriter(ItemLines items, LocalInputs inputs, PartsFolder parts, ItemWorker worker) {
    this.items = items;
    this.inputs = inputs;
    this.parts = parts;
    this.worker = worker;
  }

  /**
   * Opens the worker.
   *
   * @throws SuppressRestartsException if no item can run on this host. A restart would only repeat
   *     the failure.
   */
  static BatchWriter open(SweepJob job, PartsFolder parts, boolean isEmbedded)
      throws InterruptedException {
    try {
      return new BatchWriter(
          new ItemLines(job.itemsPath()),
          new LocalInputs(job.workingFolder(), isEmbedded),
          parts,
          job.workers().open());
    } catch (WorkerStartException e) {
      throw failure(e);
    }
  }

  private static SuppressRestartsException failure(WorkerStartException e) {
    return new SuppressRestartsException(
        new SweepException("the machine " + HostName.get() + ": " + e.getMessage(), e));
  }

  @Override
  public void write(Batch batch, Context context) throws IOException, InterruptedException {
    Path local = Files.createTempFile("stowage-part", ".jsonl");
    try {
      parts.commit(local, run(batch, local));
    } catch (WorkerStartException e) {
      throw failure(e);
    } finally {
      Files.deleteIfExists(local);
    }
  }

  /** Runs the items by key, so that each part is sorted. */
  private PartName run(Batch batch, Path local) throws IOException, InterruptedException {
    int failed = 0;
    int cached = 0;
    try (BufferedWriter out = Files.newBufferedWriter(local, StandardCharsets.UTF_8)) {
      for (WorkItem item : read(batch)) {
        ItemResult result = inputs.run(item, worker);
        out.write(result.toJsonLine());
        out.write('\n');
        failed += result instanceof Failed ? 1 : 0;
        cached += result.isCached() ? 1 : 0;
      }
    }
    return new PartName(batch.number(), batch.itemCount(), failed, cached);
  }

  private List<WorkItem> read(Batch batch) {
    try {
      return items.read(batch).stream()
          .map(WorkItem::parse)
          .sorted(Comparator.comparing(WorkItem::key))
          .toList();
    } catch (IOException e) {
      throw new SuppressRestartsException(
          new SweepException(
              "the machine "
                  + HostName.get()
                  + " cannot read the items of the sweep: "
                  + e.getMessage()
                  + "; --results must name a folder of a file system that all task managers share",
              e));
    }
  }

  @Override
  public void flush(boolean isEndOfInput) {}

  @Override
  public void close() {
    worker.close();
  }
}
