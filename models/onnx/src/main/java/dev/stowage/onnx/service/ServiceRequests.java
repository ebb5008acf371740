package dev.stowage.onnx.service;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The requests to a service: one thread for each request at a time. */
final class ServiceRequests implements AutoCloseable {

  /** A load has reached its peak if this number of rounds in a row do not raise the peak. */
  private static final int STABLE_ROUNDS = 3;

  private static final int MAX_ROUNDS = 50;

  /** A round that adds less than one of this many parts of the peak does not raise it. */
  private static final long STABLE_PART = 256;

  /** A mixed load has reached its peak if a window adds less than one of this many parts of it. */
  private static final long WINDOW_PART = 100;

  private static final int MAX_SECONDS = 120;

  private static final long NANOS = 1_000_000_000L;

  /** The work of a thread; it gets the number of the thread. */
  private interface ThreadTask {

    long run(int thread) throws Exception;
  }

  private final EngineSessions sessions;
  private final List<ServiceInputs> inputs = new ArrayList<>();
  private final int sessionCount;
  private final ExecutorService threads;

  ServiceRequests(EngineSessions sessions, ServiceScript script) throws IOException, OrtException {
    this.sessions = sessions;
    sessionCount = script.load().sessions();
    int count = sessionCount * script.load().concurrent();
    for (int i = 0; i < count; i++) {
      inputs.add(new ServiceInputs(sessions.session(i % sessionCount), script, i));
    }
    threads = Executors.newFixedThreadPool(count, Thread.ofPlatform().daemon().factory());
  }

  /** Runs a shape at the same moment in all threads, and {@return the longest time of a run} */
  private long round(Map<String, Long> shape) throws OrtException {
    List<ServiceInputs.Tensors> tensors = new ArrayList<>();
    try {
      for (ServiceInputs each : inputs) {
        tensors.add(each.of(shape));
      }
      CyclicBarrier barrier = new CyclicBarrier(inputs.size());
      List<Long> nanos =
          inAll(thread -> {
            barrier.await();
            return run(thread, tensors.get(thread));
          });
      return Collections.max(nanos);
    } finally {
      tensors.forEach(ServiceInputs.Tensors::close);
    }
  }

  private long run(int thread, ServiceInputs.Tensors tensors) throws OrtException {
    long start = System.nanoTime();
    sessions.run(thread % sessionCount, tensors.byName());
    return System.nanoTime() - start;
  }

  /** Runs rounds until the peak of the memory stays, and {@return the shortest time of a round} */
  long rounds(Map<String, Long> shape) throws OrtException, IOException {
    long highest = StepLines.highestBytes();
    long nanos = Long.MAX_VALUE;
    int stable = 0;
    for (int i = 0; i < MAX_ROUNDS && stable < STABLE_ROUNDS; i++) {
      nanos = Math.min(nanos, round(shape));
      long now = StepLines.highestBytes();
      stable = now - highest < highest / STABLE_PART ? stable + 1 : 0;
      highest = now;
    }
    return nanos;
  }

  /** {@return the most bytes of a run of the last rounds in Stowage's allocator, or 0} */
  long peakBytes() {
    return sessions.takePeakBytes();
  }

  /** {@return the bytes of the inputs of all threads} */
  long inputBytes() {
    return inputs.stream().mapToLong(ServiceInputs::bytes).sum();
  }

  /**
   * Runs shapes in a random order until a window of time adds little memory, and {@return the bytes
   * that the last window added if the memory still grows after two minutes; otherwise 0}
   */
  long mixed(List<Map<String, Long>> shapes, int windowSeconds) throws OrtException, IOException {
    List<Random> order = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      order.add(new Random(i));
    }
    long growth = 0;
    for (int window = 0; window < MAX_SECONDS / windowSeconds; window++) {
      long before = StepLines.highestBytes();
      long end = System.nanoTime() + windowSeconds * NANOS;
      inAll(thread -> {
        while (System.nanoTime() < end) {
          request(thread, shapes.get(order.get(thread).nextInt(shapes.size())));
        }
        return 0L;
      });
      growth = StepLines.highestBytes() - before;
      if (growth < before / WINDOW_PART) {
        return 0;
      }
    }
    return growth;
  }

  /** Runs shapes in the order of their arrival; each thread takes the next one. */
  void arrive(List<Map<String, Long>> shapes) throws OrtException {
    AtomicInteger next = new AtomicInteger();
    inAll(thread -> {
      for (int at = next.getAndIncrement(); at < shapes.size(); at = next.getAndIncrement()) {
        request(thread, shapes.get(at));
      }
      return 0L;
    });
  }

  private void request(int thread, Map<String, Long> shape) throws OrtException {
    try (ServiceInputs.Tensors tensors = inputs.get(thread).of(shape)) {
      run(thread, tensors);
    }
  }

  private List<Long> inAll(ThreadTask task) throws OrtException {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      int thread = i;
      tasks.add(() -> task.run(thread));
    }
    List<Long> results = new ArrayList<>();
    try {
      List<Future<Long>> futures = threads.invokeAll(tasks);
      for (Future<Long> future : futures) {
        results.add(future.get());
      }
    } catch (ExecutionException e) {
      switch (Objects.requireNonNull(e.getCause())) {
        case OrtException refusal -> throw refusal;
        case RuntimeException refusal -> throw refusal;
        default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return results;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    inputs.forEach(ServiceInputs::close);
  }
}
