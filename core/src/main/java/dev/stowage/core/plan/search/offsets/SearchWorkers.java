package dev.stowage.core.plan.search.offsets;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of one search. */
public final class SearchWorkers implements AutoCloseable {

  /** A placement search calls itself once for each record placed. */
  private static final long STACK_BYTES = 64L << 20;

  private final ExecutorService threads;

  public SearchWorkers(int count) {
    threads =
        Executors.newFixedThreadPool(
            count,
            task -> {
              Thread thread = new Thread(null, task, "stowage-search", STACK_BYTES);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Does all tasks, side by side where there are threads, and waits for them.
   *
   * @param interrupted is told once if the waiting thread is interrupted; it waits on, and is
   *     interrupted still when this method returns
   */
  public void runAll(List<? extends Runnable> tasks, Runnable interrupted) {
    List<Future<?>> running = new ArrayList<>();
    for (Runnable task : tasks) {
      running.add(threads.submit(task));
    }
    boolean wasInterrupted = false;
    for (Future<?> task : running) {
      for (boolean done = false; !done; ) {
        try {
          task.get();
          done = true;
        } catch (InterruptedException e) {
          wasInterrupted = true;
          interrupted.run();
        } catch (ExecutionException e) {
          interrupted.run();
          if (e.getCause() instanceof Error error) {
            throw error; // out of memory, above all
          }
          throw new IllegalStateException("a search failed", e.getCause());
        }
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
