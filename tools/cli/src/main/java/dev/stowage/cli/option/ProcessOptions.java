package dev.stowage.cli.option;

import dev.stowage.cli.budget.ServiceSize;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.run.Usage;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the sessions, the threads and the heap of the process of a service. */
final class ProcessOptions {

  private static final int MAX_COUNT = 10_000;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of sessions of the process (default: 1).")
  private long sessions = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of threads of each session (default: 1).")
  private long threads = 1;

  @Option(
      names = "--jvm-heap",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Include the Java process: this heap, metaspace, code cache, stacks",
        "and collector."
      })
  private Optional<Long> heap = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Checks the counts.
   *
   * @throws ParameterException if one is out of range
   */
  void check() {
    checkCount("--sessions", sessions);
    checkCount("--threads", threads);
  }

  private void checkCount(String option, long count) {
    if (count < 1 || count > MAX_COUNT) {
      throw Usage.error(spec, "%s is %d, expected 1 to %d", option, count, MAX_COUNT);
    }
  }

  /**
   * {@return the size of the service}
   *
   * @param limit the limit, if there is one
   */
  ServiceSize size(Optional<Long> limit) {
    return new ServiceSize((int) sessions, (int) threads, optional(heap), optional(limit));
  }

  private static OptionalLong optional(Optional<Long> value) {
    return value.map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  /** Adds the options. */
  void addTo(RecordedOptions recorded) {
    recorded.add("--sessions", sessions);
    recorded.add("--threads", threads);
    heap.ifPresent(bytes -> recorded.add("--jvm-heap", bytes));
  }
}
