package dev.stowage.fleet.flink;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.ItemResult;
import dev.stowage.fleet.worker.WorkerStartException;
import java.io.Serializable;
import java.nio.file.Path;

/** Runs items, one after the other, in one thread. */
public interface ItemWorker extends AutoCloseable {

  /**
   * {@return the result of an item}
   *
   * @param item the item
   * @param file the file on this machine with the content of the input
   * @throws WorkerStartException if no item can run on this machine
   * @throws InterruptedException if the thread is interrupted
   */
  ItemResult run(WorkItem item, Path file) throws WorkerStartException, InterruptedException;

  @Override
  void close();

  /** Opens workers on the machines of task managers. */
  interface Factory extends Serializable {

    /**
     * {@return a worker for one subtask}
     *
     * @throws WorkerStartException if no item can run on this machine
     * @throws InterruptedException if the thread is interrupted
     */
    ItemWorker open() throws WorkerStartException, InterruptedException;
  }
}
