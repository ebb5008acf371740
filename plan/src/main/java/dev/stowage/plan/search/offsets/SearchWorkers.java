package dev.stowage.plan.search.offsets;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of one search: the calling thread, or a pool that ends with the search. */
public final class SearchWorkers implements AutoCloseable {

  private final Optional<ExecutorService> threads;

  /**
   * Creates the threads of a search.
   *
   * @param count the number of threads; at 1, no thread is started
   */
  public SearchWorkers(int count) {
    threads =
        count == 1
            ? Optional.empty()
            : Optional.of(
                Executors.newFixedThreadPool(
                    count, Thread.ofPlatform().daemon().name("stowage-search-", 0).factory()));
  }

  /**
   * Runs all tasks and waits for them.
   *
   * @param cancel called if the waiting thread is interrupted or a task fails; after an interrupt,
   *     the thread continues to wait, and its interrupt status is set when this method returns
   */
  public void runAll(List<? extends Runnable> tasks, Runnable cancel) {
    if (threads.isEmpty()) {
      tasks.forEach(Runnable::run);
      return;
    }
    List<Future<?>> running = new ArrayList<>();
    for (Runnable task : tasks) {
      running.add(threads.get().submit(task));
    }
    boolean wasInterrupted = false;
    for (Future<?> task : running) {
      for (boolean done = false; !done; ) {
        try {
          task.get();
          done = true;
        } catch (InterruptedException e) {
          wasInterrupted = true;
          cancel.run();
        } catch (ExecutionException e) {
          cancel.run();
          if (e.getCause() instanceof Error error) {
            throw error; // such as OutOfMemoryError
          }
          throw new IllegalStateException("a task of the search failed", e.getCause());
        }
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.ifPresent(ExecutorService::shutdown);
  }
}
