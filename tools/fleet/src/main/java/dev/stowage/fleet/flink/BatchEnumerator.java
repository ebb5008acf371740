package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Hands out batches to subtasks that ask for them, in the order of the plan. */
final class BatchEnumerator implements SplitEnumerator<Batch, List<Batch>> {

  /*
   * A subtask asks for a batch when it has committed the part of its previous one. Flink gives back
   * all batches of a lost subtask, because a batch job has no checkpoints. Those with a committed
   * part are done; only the others run again.
   *
   *   waiting  --request-->  running  --next request of the subtask-->  done
   *      ^                      |
   *      +--- subtask lost -----+
   *
   * A subtask that asks when no batch waits is parked until no batch runs, so that it can take over
   * the batch of a subtask that is lost near the end. Flink calls all methods in one thread.
   */

  /** A batch that is lost this often is assumed to be the reason. */
  static final int MOST_LOSSES = 10;

  private final SplitEnumeratorContext<Batch> context;
  private final PartsFolder parts;
  private final TreeMap<Integer, Batch> waiting = new TreeMap<>();
  private final Map<Integer, Batch> running = new HashMap<>();
  private final Set<Integer> parked = new LinkedHashSet<>();
  private final Map<Batch, Integer> losses = new HashMap<>();

  BatchEnumerator(
      SplitEnumeratorContext<Batch> context, Collection<Batch> batches, PartsFolder parts) {
    this.context = context;
    this.parts = parts;
    batches.forEach(batch -> waiting.put(batch.number(), batch));
  }

  @Override
  public void start() {}

  @Override
  public void addReader(int subtask) {}

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    running.remove(subtask);
    parked.add(subtask);
    serve();
  }

  @Override
  public void addSplitsBack(List<Batch> batches, int subtask) {
    Batch lost = running.remove(subtask);
    parked.remove(subtask);
    Set<Integer> done = doneBatches();
    for (Batch batch : batches) {
      if (!done.contains(batch.number())) {
        waiting.put(batch.number(), batch);
        if (batch.equals(lost) && losses.merge(batch, 1, Integer::sum) == MOST_LOSSES) {
          throw new SweepException(lossMessage(batch));
        }
      }
    }
    serve();
  }

  private static String lossMessage(Batch batch) {
    return String.format(
        Locale.ROOT,
        "%d task managers were lost while they ran the %d items at byte %d of the file of items:"
            + " leave them out, or give the task managers more memory",
        MOST_LOSSES,
        batch.itemCount(),
        batch.firstByte());
  }

  private void serve() {
    parked.removeIf(subtask -> !context.registeredReaders().containsKey(subtask));
    while (!parked.isEmpty() && !waiting.isEmpty()) {
      int subtask = parked.iterator().next();
      parked.remove(subtask);
      Batch batch = waiting.pollFirstEntry().getValue();
      running.put(subtask, batch);
      context.assignSplit(batch, subtask);
    }
    if (waiting.isEmpty() && running.isEmpty()) {
      parked.forEach(context::signalNoMoreSplits);
      parked.clear();
    }
  }

  private Set<Integer> doneBatches() {
    try {
      return parts.committed().keySet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Batch> snapshotState(long checkpoint) {
    List<Batch> batches = new ArrayList<>(waiting.values());
    batches.addAll(running.values());
    return batches;
  }

  @Override
  public void close() {}
}
