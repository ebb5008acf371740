package dev.stowage.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.search.SearchOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The limits of searches. */
final class LimitOptionsTest {

  private static LimitOptions parsed(String... words) {
    LimitOptions limits = new LimitOptions();
    new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("limits", spec(limits)))
        .parseArgs(words);
    return limits;
  }

  private static CommandLine.Model.CommandSpec spec(LimitOptions limits) {
    return CommandLine.Model.CommandSpec.forAnnotatedObject(limits);
  }

  @Test
  void search_limitedByNodes_hasOneThread() {
    LimitOptions limits = parsed();

    assertThat(Stream.of(limits.search(true, true), limits.search(false, true)))
        .allSatisfy(options -> assertThat(options.nodeLimit()).isLessThan(Long.MAX_VALUE))
        .extracting(SearchOptions::threads)
        .containsOnly(1);
  }
}
