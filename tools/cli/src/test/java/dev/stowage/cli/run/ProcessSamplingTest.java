package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.plan.Interruption;
import dev.stowage.process.MemorySample;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Samplings of a process with a clock of their own. The timeout ends a test that hangs. */
@Timeout(60)
class ProcessSamplingTest {

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Interruption interruption = new Interruption();
  private final List<Long> waits = new ArrayList<>();
  private long nowMillis = 1_700_000_000_000L;
  private long millisPerSample;
  private int sampleCount;
  private int endsAt = Integer.MAX_VALUE;
  private boolean isZombie;

  private ProcessDump read() throws IOException {
    if (sampleCount++ == endsAt) {
      if (isZombie) {
        return dump(0);
      }
      throw new NoSuchFileException("/proc/7");
    }
    return dump(100L * sampleCount);
  }

  private ProcessDump dump(long kib) {
    nowMillis += millisPerSample;
    return ProcessDump.parse(
        String.format(
            Locale.ROOT,
            "== time\n%d.%03d\n== smaps\n1000-2000 rw-p 0 00:00 0 [heap]\nRss: %d kB\n",
            nowMillis / 1000,
            nowMillis % 1000,
            kib));
  }

  private void sleep(Duration time) {
    waits.add(time.toMillis());
    nowMillis += time.toMillis();
  }

  private ProcessSampling sampling(Optional<Duration> length) {
    return new ProcessSampling(interruption, this::read, this::sleep, INTERVAL, length);
  }

  private static List<Long> kib(ProcessSampling sampling) {
    return sampling.samples().stream()
        .map(sample -> sample.memory().residentBytes() / 1024)
        .toList();
  }

  @Test
  void run_aLengthOfThreeIntervals_takesFourSamples() throws IOException {
    ProcessSampling sampling = sampling(Optional.of(INTERVAL.multipliedBy(3)));
    List<MemorySample> seen = new ArrayList<>();

    assertThat(sampling.run(seen::add)).isTrue();
    assertThat(kib(sampling)).containsExactly(100L, 200L, 300L, 400L);
    assertThat(seen).isEqualTo(sampling.samples());
    assertThat(waits).containsExactly(10_000L, 10_000L, 10_000L);
  }

  /** The time that a sample takes is part of the interval. */
  @Test
  void run_samplesThatTakeTime_areAtTheirTimes() throws IOException {
    millisPerSample = 400;
    ProcessSampling sampling = sampling(Optional.of(INTERVAL.multipliedBy(2)));

    assertThat(sampling.run(_ -> {})).isTrue();
    assertThat(waits).containsExactly(10_000L, 9_600L);
  }

  @Test
  void run_samplesThatTakeLongerThanTheInterval_followEachOther() throws IOException {
    millisPerSample = 25_000;
    ProcessSampling sampling = sampling(Optional.of(INTERVAL.multipliedBy(6)));

    assertThat(sampling.run(_ -> {})).isTrue();
    assertThat(kib(sampling)).containsExactly(100L, 200L, 300L);
    assertThat(waits).containsExactly(10_000L);
  }

  @Test
  void run_aProcessThatEnds_keepsTheSamplesBefore() throws IOException {
    endsAt = 2;
    ProcessSampling sampling = sampling(Optional.empty());

    assertThat(sampling.run(_ -> {})).isFalse();
    assertThat(kib(sampling)).containsExactly(100L, 200L);
    assertThat(sampling.samples())
        .extracting(sample -> sample.memory().hasEnded())
        .containsExactly(false, true);
  }

  /** The kernel keeps a process without memory until its parent knows of its end. */
  @Test
  void run_aProcessWithoutMemory_hasEnded() throws IOException {
    endsAt = 1;
    isZombie = true;
    ProcessSampling sampling = sampling(Optional.empty());

    assertThat(sampling.run(_ -> {})).isFalse();
    assertThat(kib(sampling)).containsExactly(100L);
  }

  @Test
  void run_noProcess_throws() {
    endsAt = 0;

    assertThatThrownBy(() -> sampling(Optional.empty()).run(_ -> {}))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void run_aSignalDuringTheWait_keepsTheSamplesBefore() throws IOException {
    interruption.expect();
    ProcessSampling sampling =
        new ProcessSampling(
            interruption,
            this::read,
            _ -> {
              interruption.interrupt(2);
              new CountDownLatch(1).await();
            },
            INTERVAL,
            Optional.empty());

    assertThat(sampling.run(_ -> {})).isTrue();
    assertThat(kib(sampling)).containsExactly(100L);
  }
}
