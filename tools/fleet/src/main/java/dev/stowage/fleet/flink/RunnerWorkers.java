package dev.stowage.fleet.flink;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.ItemResult;
import dev.stowage.fleet.worker.ItemRunner;
import dev.stowage.fleet.worker.ModuleJars;
import dev.stowage.fleet.worker.WorkerSettings;
import dev.stowage.fleet.worker.WorkerStartException;
import java.nio.file.Path;

/**
 * Workers that are processes with Stowage's modules.
 *
 * @param settings the settings of the processes; without a folder of modules, those of the jar of
 *     this class are used
 */
public record RunnerWorkers(WorkerSettings settings) implements ItemWorker.Factory {

  private static final long serialVersionUID = 1;

  @Override
  public ItemWorker open() throws WorkerStartException, InterruptedException {
    WorkerSettings complete =
        settings.modules().isPresent()
            ? settings
            : settings.withModules(ModuleJars.ofThisJar().unpack().toString());
    return new RunnerWorker(ItemRunner.open(complete));
  }

  private record RunnerWorker(ItemRunner runner) implements ItemWorker {

    @Override
    public ItemResult run(WorkItem item, Path file)
        throws WorkerStartException, InterruptedException {
      return runner.run(item, file);
    }

    @Override
    public void close() {
      runner.close();
    }
  }
}
