package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;

/** Runs items, one after the other, in one thread. */
public interface ItemWorker extends AutoCloseable {

  /**
   * Runs an item.
   *
   * @param item its line of the file of items
   * @param localInput the input on this host, which exists
   * @throws SweepException if no item can run on this host
   */
  Answer run(String item, Path localInput) throws IOException, InterruptedException;

  /** {@return the result of an item whose input is not on this host} */
  Answer missing(String item, String problem);

  @Override
  void close();

  /**
   * The result of an item.
   *
   * @param line an object in JSON whose first field is {@code key}
   * @param isFailed true if the result is an error
   * @param isCached true if the result is from the cache
   */
  record Answer(String line, boolean isFailed, boolean isCached) {}

  /** Opens workers on the hosts of task managers. */
  interface Factory extends Serializable {

    /**
     * Opens a worker for one subtask.
     *
     * @throws SweepException if no item can run on this host; the caller adds the name of the host
     */
    ItemWorker open();
  }
}
