package dev.stowage.fleet.flink;

import java.io.Serializable;
import java.net.URI;
import org.apache.flink.core.fs.Path;

/**
 * Items to run, and the place of their results.
 *
 * @param items the file of items: UTF-8, an object in JSON in each line with at least {@code key},
 *     {@code input} and {@code cost}, the highest cost first
 * @param results the folder in which the file {@code results.jsonl} is written
 * @param workingFolder the folder of relative inputs
 * @param workers opens the workers, on the hosts of the task managers
 */
public record SweepJob(URI items, URI results, String workingFolder, ItemWorker.Factory workers)
    implements Serializable {

  private static final long serialVersionUID = 1;

  Path itemsPath() {
    return new Path(items);
  }

  Path resultsPath() {
    return new Path(results);
  }
}
