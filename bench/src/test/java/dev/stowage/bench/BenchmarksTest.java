package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark once with little to do, so that none can rot. */
class BenchmarksTest {

  @Test
  void everyBenchmark_tinyInput_runs() throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("dev.stowage.bench.*")
        .param("source", "network-100")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    assertThat(new Runner(options.build()).run()).hasSize(7);
  }
}
