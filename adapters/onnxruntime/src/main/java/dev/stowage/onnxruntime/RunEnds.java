package dev.stowage.onnxruntime;

import dev.stowage.onnxruntime.process.ProcessSample;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The work at the ends of runs: trims, and samples of the memory outside the allocator. */
final class RunEnds {

  private static final System.Logger LOGGER = System.getLogger(RunEnds.class.getPackageName());

  private final String name;
  private final Optional<TrimPolicy> trims;
  private final OptionalLong alarmBytes;
  private final Supplier<Optional<ProcessSample>> process;

  /** The bytes of the allocator and of its memory outside the limit. */
  private final LongSupplier allocatorBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final GrowthWatch growth = new GrowthWatch();
  private long runs;
  private long reportedBytes;

  RunEnds(
      String name,
      OnnxRuntimeOptions options,
      Supplier<Optional<ProcessSample>> process,
      LongSupplier allocatorBytes) {
    this.name = name;
    this.trims =
        options.trims() ? Optional.of(new TrimPolicy(options.recentRuns())) : Optional.empty();
    this.alarmBytes = options.alarmBytes();
    this.process = process;
    this.allocatorBytes = allocatorBytes;
  }

  /**
   * Notes the end of a run and {@return true if a trim is due}
   *
   * @param neededBytes the largest number of bytes in use since the run before
   */
  boolean countRun(long neededBytes) {
    lock.lock();
    try {
      runs++;
      if (alarmBytes.isPresent() && runs % GrowthWatch.RUNS_PER_SAMPLE == 0) {
        sample();
      }
      return trims.isPresent() && trims.get().isDue(neededBytes, allocatorBytes.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  private void sample() {
    Optional<ProcessSample> sample = process.get();
    sample.ifPresent(read -> growth.add(memory(read).outsideBytes()));
    long alarm = alarmBytes.orElse(Long.MAX_VALUE);
    if (sample.isPresent() && growth.growthBytes() - reportedBytes >= alarm) {
      reportedBytes = growth.growthBytes();
      LOGGER.log(System.Logger.Level.WARNING, "allocator ''{0}'': {1}", name, memory(sample.get()));
    }
  }

  private ProcessMemory memory(ProcessSample sample) {
    return new ProcessMemory(
        sample.residentBytes(),
        sample.jvmBytes(),
        allocatorBytes.getAsLong(),
        growth.growthBytes(),
        growth.runs(),
        alarmBytes.orElse(Long.MAX_VALUE));
  }

  /** {@return the memory of the process, or empty if growth is not watched or not known} */
  Optional<ProcessMemory> processMemory() {
    if (alarmBytes.isEmpty()) {
      return Optional.empty();
    }
    lock.lock();
    try {
      return process.get().map(this::memory);
    } finally {
      lock.unlock();
    }
  }
}
