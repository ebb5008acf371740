package dev.stowage.fleet.worker;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Done;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs items in a worker process, which is replaced if an item ends it.
 *
 * <p>An item whose worker ends, or runs out of memory, runs once more in a new worker without other
 * items of this JVM beside it. One thread at a time uses a runner; any thread may close it.
 */
public final class ItemRunner implements AutoCloseable {

  /** The part of the memory for the heap of an item that runs alone. */
  private static final double ALONE_PERCENT = 50;

  /** The part of the memory for the heaps of all workers. */
  private static final double SHARED_PERCENT = 50;

  private final WorkerSettings settings;
  private final Path java;
  private final Optional<ResultCache> cache;
  private final String version;
  private @Nullable WorkerProcess worker;
  private boolean isClosed;

  private ItemRunner(WorkerSettings settings, Path java, WorkerProcess worker) {
    this.settings = settings;
    this.java = java;
    this.worker = worker;
    version = worker.version();
    cache = settings.cache().map(folder -> ResultCache.of(folder, settings, worker.version()));
  }

  /**
   * {@return a runner with a worker process}
   *
   * @param settings the settings
   * @throws WorkerStartException if no worker can be started on this machine
   * @throws InterruptedException if the thread is interrupted
   */
  public static ItemRunner open(WorkerSettings settings)
      throws WorkerStartException, InterruptedException {
    Path java = JavaProgram.find(settings, System.getenv(), System.getProperty("java.home", ""));
    return new ItemRunner(
        settings, java, WorkerProcess.start(java, settings, sharedPercent(settings)));
  }

  /** {@return the version of Stowage that the worker runs} */
  public String version() {
    return version;
  }

  /** {@return the part of the memory for one of the workers that run at the same time} */
  private static double sharedPercent(WorkerSettings settings) {
    int workers = Math.max(1, Runtime.getRuntime().availableProcessors() / settings.threads());
    return SHARED_PERCENT / workers;
  }

  /**
   * {@return the answer of a worker to a command}
   *
   * @param arguments the command line
   * @throws WorkerStartException if the worker ended
   * @throws InterruptedException if the thread is interrupted
   */
  public WorkerAnswer call(List<String> arguments)
      throws WorkerStartException, InterruptedException {
    try {
      return worker().call(arguments, settings.itemTimeLimit());
    } catch (WorkerEndedException e) {
      discard();
      throw new WorkerStartException("a worker ended: " + e.getMessage());
    }
  }

  /**
   * {@return the result of an item}
   *
   * @param item the item
   * @param file the file on this machine with the content of the input; the result names the input
   * @throws WorkerStartException if an item ended the worker and no other one can be started
   * @throws InterruptedException if the thread is interrupted; the worker has ended
   */
  public ItemResult run(WorkItem item, Path file)
      throws WorkerStartException, InterruptedException {
    Optional<ResultCache.Entry> entry = cache.flatMap(known -> known.entry(item, file));
    Optional<ItemResult> known = entry.flatMap(ResultCache.Entry::read);
    if (known.isPresent()) {
      return known.get();
    }
    ItemResult result = runShared(item, readPath(item, file));
    entry.ifPresent(place -> place.write(result));
    return result;
  }

  /** {@return the path that the command reads: the input itself, unless the file is a copy} */
  private String readPath(WorkItem item, Path file) {
    Path input = Path.of(settings.folder().orElse("")).resolve(item.input());
    return input.toAbsolutePath().equals(file.toAbsolutePath())
        ? item.input()
        : file.toAbsolutePath().toString();
  }

  private ItemResult runShared(WorkItem item, String path)
      throws WorkerStartException, InterruptedException {
    Lock shared = WorkerLocks.shared();
    shared.lockInterruptibly();
    try {
      WorkerAnswer answer = worker().call(commandLine(item, path), settings.itemTimeLimit());
      if (!answer.isOutOfMemory()) {
        return result(item, path, answer);
      }
    } catch (WorkerEndedException e) {
      if (e.isTimeout()) {
        return timeout(item);
      }
    } finally {
      shared.unlock();
    }
    discard();
    return runAlone(item, path);
  }

  private ItemResult runAlone(WorkItem item, String path)
      throws WorkerStartException, InterruptedException {
    Lock alone = WorkerLocks.exclusive();
    alone.lockInterruptibly();
    try {
      WorkerProcess fresh = WorkerProcess.start(java, settings, ALONE_PERCENT);
      keep(fresh);
      return result(item, path, fresh.call(commandLine(item, path), settings.itemTimeLimit()));
    } catch (WorkerEndedException e) {
      return e.isTimeout()
          ? timeout(item)
          : failed(item, -1, e.getMessage() + "; it ended twice, at last alone", e.lines());
    } finally {
      discard();
      alone.unlock();
    }
  }

  private static List<String> commandLine(WorkItem item, String path) {
    List<String> commandLine = new ArrayList<>(item.arguments());
    commandLine.addAll(List.of("--format", "json", "--", path));
    return commandLine;
  }

  private ItemResult timeout(WorkItem item) {
    discard();
    Duration limit = settings.itemTimeLimit();
    return failed(
        item,
        -1,
        String.format(
            Locale.ROOT,
            "the item took longer than %s s; --item-time-limit sets another limit",
            ResultText.seconds(limit)),
        List.of());
  }

  private static ItemResult result(WorkItem item, String path, WorkerAnswer read) {
    WorkerAnswer answer = read.withInput(path, item.input()).withHeapOption();
    if (answer.out().isEmpty() || !ResultText.isResult(answer.exitCode())) {
      return failed(item, answer.exitCode(), error(answer), List.of());
    }
    String json =
        answer.out().size() == 1 ? answer.out().get(0) : "[" + String.join(",", answer.out()) + "]";
    return new Done(
        item.id(),
        answer.seconds(),
        answer.exitCode(),
        new Done.Output(json, answer.err()),
        ResultText.isCut(json, item.options()),
        false);
  }

  /** {@return the messages of a command without its notes, if there are others} */
  private static String error(WorkerAnswer answer) {
    List<String> errors = answer.err().stream().filter(line -> !line.startsWith("note: ")).toList();
    List<String> shown = errors.isEmpty() ? answer.err() : errors;
    return shown.isEmpty()
        ? "the command printed no result"
        : shown.stream().collect(Collectors.joining("\n"));
  }

  private static Failed failed(WorkItem item, int exitCode, String error, List<String> lines) {
    return new Failed(item.id(), exitCode, error, lines, false);
  }

  private WorkerProcess worker() throws WorkerStartException, InterruptedException {
    synchronized (this) {
      if (worker != null) {
        return worker;
      }
    }
    return keep(WorkerProcess.start(java, settings, sharedPercent(settings)));
  }

  /** Keeps a worker, unless the runner is closed. */
  private synchronized WorkerProcess keep(WorkerProcess started) {
    worker = started;
    if (isClosed) {
      started.close();
    }
    return started;
  }

  private synchronized void discard() {
    if (worker != null) {
      worker.close();
      worker = null;
    }
  }

  /** Ends the worker, also while an item runs. */
  @Override
  public synchronized void close() {
    isClosed = true;
    discard();
  }
}
