package dev.stowage.fleet.flink;

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
  static BatchWriter open(SweepJob job, PartsFolder parts) {
    try {
      return new BatchWriter(
          new ItemLines(job.itemsPath()),
          new LocalInputs(job.workingFolder()),
          parts,
          job.workers().open());
    } catch (SweepException e) {
      throw failure(e);
    }
  }

  private static SuppressRestartsException failure(SweepException e) {
    return new SuppressRestartsException(
        new SweepException("task manager on " + HostName.get() + ": " + e.getMessage(), e));
  }

  @Override
  public void write(Batch batch, Context context) throws IOException, InterruptedException {
    Path local = Files.createTempFile("stowage-part", ".jsonl");
    try {
      parts.commit(local, run(batch, local));
    } catch (SweepException e) {
      throw failure(e);
    } finally {
      Files.deleteIfExists(local);
    }
  }

  /** Runs the items by key, so that each part is sorted. */
  private Part run(Batch batch, Path local) throws IOException, InterruptedException {
    int failed = 0;
    int cached = 0;
    try (BufferedWriter out = Files.newBufferedWriter(local, StandardCharsets.UTF_8)) {
      for (Item item : read(batch)) {
        ItemWorker.Answer answer = inputs.run(item.line(), worker);
        out.write(answer.line());
        out.write('\n');
        failed += answer.isFailed() ? 1 : 0;
        cached += answer.isCached() ? 1 : 0;
      }
    }
    return new Part(batch.number(), batch.itemCount(), failed, cached);
  }

  private List<Item> read(Batch batch) {
    try {
      return items.read(batch).stream()
          .map(line -> new Item(JsonLine.text(line, "key"), line))
          .sorted(Comparator.comparing(Item::key))
          .toList();
    } catch (IOException e) {
      throw new SweepException(
          "cannot read the items: "
              + e.getMessage()
              + "; the folder of --results must be on a file system that the client and all task managers share",
          e);
    }
  }

  private record Item(String key, String line) {}

  @Override
  public void flush(boolean isEndOfInput) {}

  @Override
  public void close() {
    worker.close();
  }
}
