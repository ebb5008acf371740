package dev.stowage.fleet.worker;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings of worker processes.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class WorkerSettings implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final Duration ITEM_TIME_LIMIT = Duration.ofMinutes(10);

  private static final WorkerSettings DEFAULTS =
      new WorkerSettings("", "", "", "", 0, 1, ITEM_TIME_LIMIT, "");

  /** Empty texts and 0 stand for defaults, because Optional is not serializable. */
  private final String java;

  private final String modules;
  private final String loadedClasses;
  private final String folder;
  private final long heapBytes;
  private final int threads;
  private final Duration itemTimeLimit;
  private final String cache;

  private WorkerSettings(
      String java,
      String modules,
      String loadedClasses,
      String folder,
      long heapBytes,
      int threads,
      Duration itemTimeLimit,
      String cache) {
    this.java = java;
    this.modules = modules;
    this.loadedClasses = loadedClasses;
    this.folder = folder;
    this.heapBytes = heapBytes;
    this.threads = threads;
    this.itemTimeLimit = itemTimeLimit;
    this.cache = cache;
  }

  /** {@return the defaults: one thread and ten minutes for each item, no cache} */
  public static WorkerSettings defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these settings with a Java}
   *
   * @param path the folder of a JDK, or its program {@code java}
   */
  public WorkerSettings withJava(String path) {
    return new WorkerSettings(
        path, modules, loadedClasses, folder, heapBytes, threads, itemTimeLimit, cache);
  }

  /**
   * {@return these settings with the modules of Stowage}
   *
   * @param jars the folder with the jars
   */
  public WorkerSettings withModules(String jars) {
    return new WorkerSettings(
        java, jars, loadedClasses, folder, heapBytes, threads, itemTimeLimit, cache);
  }

  /**
   * {@return these settings with a cache of loaded classes}
   *
   * @param file an AOT cache of the JVM, made with the same modules; a worker that cannot use it
   *     starts without it
   */
  public WorkerSettings withLoadedClasses(String file) {
    return new WorkerSettings(
        java, modules, file, folder, heapBytes, threads, itemTimeLimit, cache);
  }

  /**
   * {@return these settings with the folder that relative paths begin at}
   *
   * @param path the folder, which a worker ignores if its machine does not have it
   */
  public WorkerSettings withFolder(String path) {
    return new WorkerSettings(
        java, modules, loadedClasses, path, heapBytes, threads, itemTimeLimit, cache);
  }

  /**
   * {@return these settings with a heap}
   *
   * @param bytes the largest heap of each worker; positive
   */
  public WorkerSettings withHeapBytes(long bytes) {
    return new WorkerSettings(
        java, modules, loadedClasses, folder, bytes, threads, itemTimeLimit, cache);
  }

  /**
   * {@return these settings with a number of threads}
   *
   * @param count the processors that each worker uses; positive
   */
  public WorkerSettings withThreads(int count) {
    return new WorkerSettings(
        java, modules, loadedClasses, folder, heapBytes, count, itemTimeLimit, cache);
  }

  /**
   * {@return these settings with a time limit}
   *
   * @param limit the time after which the worker of an item is ended
   */
  public WorkerSettings withItemTimeLimit(Duration limit) {
    return new WorkerSettings(
        java, modules, loadedClasses, folder, heapBytes, threads, limit, cache);
  }

  /**
   * {@return these settings with a cache}
   *
   * @param path the folder with results of earlier sweeps
   */
  public WorkerSettings withCache(String path) {
    return new WorkerSettings(
        java, modules, loadedClasses, folder, heapBytes, threads, itemTimeLimit, path);
  }

  /** {@return the folder of a JDK or its program; empty to search for one} */
  public Optional<String> java() {
    return text(java);
  }

  /** {@return the folder with the jars of Stowage; empty if it is not known} */
  public Optional<String> modules() {
    return text(modules);
  }

  /** {@return the AOT cache of the JVM; empty if there is none} */
  public Optional<String> loadedClasses() {
    return text(loadedClasses);
  }

  /** {@return the folder that relative paths begin at; empty for that of the running process} */
  public Optional<String> folder() {
    return text(folder);
  }

  /** {@return the largest heap of each worker; empty for a part of the memory} */
  public OptionalLong heapBytes() {
    return heapBytes == 0 ? OptionalLong.empty() : OptionalLong.of(heapBytes);
  }

  /** {@return the processors that each worker uses} */
  public int threads() {
    return threads;
  }

  /** {@return the time after which the worker of an item is ended} */
  public Duration itemTimeLimit() {
    return itemTimeLimit;
  }

  /** {@return the folder with results of earlier sweeps} */
  public Optional<String> cache() {
    return text(cache);
  }

  private static Optional<String> text(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }
}
