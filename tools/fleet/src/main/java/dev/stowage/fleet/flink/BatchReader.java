package dev.stowage.fleet.flink;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

/**
 * Emits the batches of one subtask, and requests the next one when the previous one is committed.
 *
 * <p>The sink is chained to the source, so that {@code collect} returns after the commit.
 */
final class BatchReader implements SourceReader<Batch, Batch> {

  private final SourceReaderContext context;
  private final Queue<Batch> assigned = new ArrayDeque<>();
  private CompletableFuture<Void> available = new CompletableFuture<>();
  private boolean isComplete;

  BatchReader(SourceReaderContext context) {
    this.context = context;
  }

  @Override
  public void start() {
    if (assigned.isEmpty()) {
      context.sendSplitRequest();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<Batch> output) {
    Batch batch = assigned.poll();
    if (batch != null) {
      output.collect(batch);
      if (assigned.isEmpty()) {
        context.sendSplitRequest();
      }
    }
    if (!assigned.isEmpty()) {
      return InputStatus.MORE_AVAILABLE;
    }
    if (isComplete) {
      return InputStatus.END_OF_INPUT;
    }
    if (available.isDone()) {
      available = new CompletableFuture<>();
    }
    return InputStatus.NOTHING_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return available;
  }

  @Override
  public void addSplits(List<Batch> batches) {
    assigned.addAll(batches);
    available.complete(null);
  }

  @Override
  public void notifyNoMoreSplits() {
    isComplete = true;
    available.complete(null);
  }

  @Override
  public List<Batch> snapshotState(long checkpoint) {
    return List.copyOf(assigned);
  }

  @Override
  public void close() {}
}
