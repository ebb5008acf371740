package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs of all benchmarks with small inputs, so that they stay executable. */
class ComparisonTest {

  private static final PrintStream SILENT = new PrintStream(OutputStream.nullOutputStream());

  private static ChainedOptionsBuilder tiny() {
    return new OptionsBuilder()
        .param("source", "network-100")
        .param("live", "10")
        .param("bytes", "64")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(10))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  @Tag("full")
  @Test
  void everyBenchmark_tinyInput_runs() throws RunnerException {
    ChainedOptionsBuilder options =
        tiny().include("dev.stowage.bench.*").param("peer", Peer.STOWAGE.name());
    Set<String> run =
        new Runner(options.build())
            .run().stream()
                .map(result -> result.getParams().getBenchmark())
                .collect(Collectors.toSet());
    assertThat(run).hasSizeGreaterThan(5).isEqualTo(everyBenchmark());
  }

  private static Set<String> everyBenchmark() {
    return BenchmarkList.defaultList()
        .getAll(OutputFormatFactory.createFormatInstance(SILENT, VerboseMode.SILENT), List.of())
        .stream()
        .map(BenchmarkListEntry::getUsername)
        .collect(Collectors.toSet());
  }

  /** Two threads on every allocator of this machine, and a note for each of the others. */
  @Tag("full")
  @Test
  void table_ofAllocators_hasALineOrANoteForEachOne() {
    Comparison comparison = new Comparison(SILENT, tiny().build());
    List<Comparison.Row> allocators = comparison.allocators();
    String table =
        comparison.table(
            allocators, List.of(Comparison.pairs("pairs", 10, SizeDistribution.UNIFORM, 2)));
    assertThat(table).startsWith("| fastest (median) | pairs |\n|---|---|\n");
    for (Peer peer : Peer.values()) {
      assertThat(table)
          .contains(
              peer.absence()
                  .map(remedy -> "- %s is missing: %s.".formatted(peer.title(), remedy))
                  .orElse("| %s | ".formatted(peer.title())))
          .doesNotContain("failed", "–");
    }
  }

  @ParameterizedTest
  @CsvSource({"9.994, 9.99", "9.996, 10.0", "99.96, 100", "12345.6, '12,346'"})
  void digits_ofANumber_areThreeOrMore(double value, String digits) {
    assertThat(Comparison.digits(value)).isEqualTo(digits);
  }
}
