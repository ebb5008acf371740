package dev.stowage.cli.run;

import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.WorkInterruptedException;
import dev.stowage.process.MemorySample;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The samples of a process at regular times, until the process ends or a signal arrives. */
public final class ProcessSampling {

  /*
   * This class reads no clock: the dumps have the times of the samples. Sample n is due n intervals
   * after the first sample. If a sample takes longer than an interval, the next sample follows at
   * once.
   */

  /** The wait for the next sample. */
  public interface Pause {

    /** Waits. */
    void sleep(Duration time) throws InterruptedException;
  }

  private final Interruption interruption;
  private final Interruption.Work<ProcessDump, IOException> source;
  private final Pause pause;
  private final Duration interval;
  private final Optional<Duration> length;
  private final List<MemorySample> samples = new ArrayList<>();

  /**
   * Creates a sampling.
   *
   * @param source returns a dump with a time; throws if the process has ended
   * @param length the time from the first sample to the last one; empty if there is no limit
   */
  public ProcessSampling(
      Interruption interruption,
      Interruption.Work<ProcessDump, IOException> source,
      Pause pause,
      Duration interval,
      Optional<Duration> length) {
    this.interruption = interruption;
    this.source = source;
    this.pause = pause;
    this.interval = interval;
    this.length = length;
  }

  /**
   * Takes the samples.
   *
   * @param progress receives each sample
   * @return false if the process ended before the time was over
   * @throws IOException if there is no first sample
   */
  public boolean run(Consumer<MemorySample> progress) throws IOException {
    Optional<ProcessDump> last = Optional.empty();
    try {
      do {
        ProcessDump dump = interruption.run(source);
        MemorySample sample = new MemorySample(dump);
        // A process that has ended has no memory while its parent does not know of its end.
        if (sample.memory().residentBytes() == 0 && last.isPresent()) {
          throw new NoSuchFileException("");
        }
        last = Optional.of(dump);
        samples.add(sample);
        progress.accept(sample);
      } while (awaitNext());
    } catch (WorkInterruptedException e) {
      // The samples so far are the result.
    } catch (IOException e) {
      if (last.isEmpty()) {
        throw e;
      }
      samples.set(samples.size() - 1, new MemorySample(last.get().ended()));
      return false;
    }
    return true;
  }

  /** {@return the samples so far} */
  public List<MemorySample> samples() {
    return List.copyOf(samples);
  }

  /** {@return true if a sample is due, after the wait for it} */
  private boolean awaitNext() {
    Duration elapsed = Duration.between(time(samples.getFirst()), time(samples.getLast()));
    Duration due = interval.multipliedBy(samples.size());
    if (length.isPresent()
        && (due.compareTo(length.get()) > 0 || elapsed.compareTo(length.get()) >= 0)) {
      return false;
    }
    Duration left = due.minus(elapsed);
    // The clock may have been set in the meantime.
    Duration time = left.compareTo(interval) > 0 ? interval : left;
    if (time.isPositive()) {
      return interruption.<Boolean, RuntimeException>run(() -> {
        try {
          pause.sleep(time);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt(); // ends the abandoned wait
        }
        return true;
      });
    }
    return true;
  }

  private static Instant time(MemorySample sample) {
    return sample.time().orElse(Instant.EPOCH);
  }
}
