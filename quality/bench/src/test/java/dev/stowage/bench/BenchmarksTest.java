package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
@Tag("full")
class BenchmarksTest {

  private static ChainedOptionsBuilder tiny() {
    return new OptionsBuilder()
        .param("source", "network-100")
        .param("live", "10")
        .param("points", "2x2")
        .param("bytes", "64")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(10))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

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
        .getAll(
            OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT),
            List.of())
        .stream()
        .map(BenchmarkListEntry::getUsername)
        .collect(Collectors.toSet());
  }

  @Test
  void pairs_everyPeerThatIsHere_runByTwoThreads() throws RunnerException {
    String[] here =
        Arrays.stream(Peer.values())
            .filter(peer -> peer.absence().isEmpty())
            .map(Peer::name)
            .toArray(String[]::new);
    ChainedOptionsBuilder options =
        tiny()
            .include("AllocatorPairsBenchmark")
            .param("peer", here)
            .param("sizes", SizeDistribution.UNIFORM.name())
            .threads(2);
    assertThat(new Runner(options.build()).run()).hasSize(here.length);
  }

  @Test
  void comparison_tinyCases_hasALineOrANoteForEveryPeer() throws IOException {
    String text = comparison(Peer::absence);
    for (Peer peer : Peer.values()) {
      assertThat(text)
          .contains(
              peer.absence()
                  .map(remedy -> "- %s is missing: %s.".formatted(peer.title(), remedy))
                  .orElse("| %s | ".formatted(peer.title())))
          .doesNotContain("failed");
    }
  }

  @Test
  void comparison_peersThatAreMissing_haveNotesInsteadOfLines() throws IOException {
    String text =
        comparison(peer ->
            peer == Peer.MIMALLOC || peer == Peer.ARROW
                ? Optional.of("install it")
                : peer.absence());
    assertThat(text)
        .contains("| Stowage | ", "- mimalloc is missing: install it.")
        .contains("- Arrow, Unsafe is missing: install it.")
        .doesNotContain("| mimalloc | ", "| Arrow, Unsafe | ", "Stowage is missing");
  }

  private static String comparison(Function<Peer, Optional<String>> absence) throws IOException {
    PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
    return new ComparisonRun(silent, tiny().build(), absence)
        .table(
            List.of(AllocatorCase.pairsByThreads().getFirst(), AllocatorCase.trace("network-10")))
        .markdown();
  }
}
