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
   * The times of the samples are those in the dumps, so that this class reads no clock. Sample n is due
   * n intervals after the first one. If a sample takes longer than an interval, the next one follows at
   * once.
   *
   * A virtual machine that does not answer costs an interval for the first sample, and of the others at
   * most the time that is left until the last one. So the command ends about an interval late.
   */

  /** The least limit of a sample: an interval may be shorter than the answers of a process. */
  private static final Duration LEAST_LIMIT = Duration.ofSeconds(1);

  /** The process. */
  public interface Source {

    /**
     * {@return its dump, with a time}
     *
     * @param limit the most time in which its virtual machine answers; positive
     * @throws NoSuchFileException if the process has ended
     */
    ProcessDump read(Duration limit) throws IOException;
  }

  /** The wait for the next sample. */
  public interface Pause {

    /** Waits. */
    void sleep(Duration time) throws InterruptedException;
  }

  private final Interruption interruption;
  private final Source source;
  private final Pause pause;
  private final Duration interval;
  private final Optional<Duration> length;
  private final List<MemorySample> samples = new ArrayList<>();

  /** The dump of the last sample. */
  private Optional<ProcessDump> last = Optional.empty();

  /**
   * Creates a sampling.
   *
   * @param length the time from the first sample to the last one; empty if there is no limit
   */
  public ProcessSampling(
      Interruption interruption,
      Source source,
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
    try {
      do {
        Optional<MemorySample> sample = next();
        if (sample.isEmpty()) {
          last.ifPresent(dump -> samples.set(samples.size() - 1, new MemorySample(dump.ended())));
          return false;
        }
        samples.add(sample.get());
        progress.accept(sample.get());
      } while (awaitNext());
    } catch (WorkInterruptedException e) {
      // The samples so far are the result.
    }
    return true;
  }

  /** {@return the samples so far} */
  public List<MemorySample> samples() {
    return List.copyOf(samples);
  }

  /** {@return the next sample; empty if the process has ended} */
  private Optional<MemorySample> next() throws IOException {
    try {
      Duration limit = limit();
      ProcessDump dump = interruption.run(() -> source.read(limit));
      MemorySample sample = new MemorySample(dump);
      // A process that has ended has no memory while its parent does not know of its end.
      if (sample.memory().residentBytes() > 0 || samples.isEmpty()) {
        last = Optional.of(dump);
        return Optional.of(sample);
      }
    } catch (IOException e) {
      if (samples.isEmpty()) {
        throw e;
      }
    }
    return Optional.empty();
  }

  /** {@return the limit of the next sample} */
  private Duration limit() {
    Duration left = length.orElse(interval);
    if (!samples.isEmpty() && length.isPresent()) {
      left = left.minus(longer(elapsed(), due()));
    }
    Duration limit = left.compareTo(interval) < 0 ? left : interval;
    return longer(limit, LEAST_LIMIT);
  }

  private static Duration longer(Duration time, Duration other) {
    return time.compareTo(other) > 0 ? time : other;
  }

  /** {@return the time from the first sample to the last one so far} */
  private Duration elapsed() {
    return Duration.between(time(samples.getFirst()), time(samples.getLast()));
  }

  /** {@return the time from the first sample at which the next one is due} */
  private Duration due() {
    return interval.multipliedBy(samples.size());
  }

  /** {@return true if a sample is due, after the wait for it} */
  private boolean awaitNext() {
    Duration elapsed = elapsed();
    Duration due = due();
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
