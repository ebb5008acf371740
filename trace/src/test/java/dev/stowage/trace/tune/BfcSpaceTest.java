package dev.stowage.trace.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The options of a best-fit allocator that a search tries, and their Java expressions. */
class BfcSpaceTest {

  private static final Pattern EXPRESSION =
      Pattern.compile("BfcOptions(\\.[a-zA-Z]+\\(([0-9]+L)?\\))+");
  private static final Pattern CALL = Pattern.compile("\\.([a-zA-Z]+)\\((?:([0-9]+)L)?\\)");

  /** {@return the value of an expression, by calling its methods in turn} */
  private static BfcOptions evaluated(String expression) throws ReflectiveOperationException {
    assertThat(expression).matches(EXPRESSION);
    BfcOptions options = BfcOptions.growing();
    for (MatchResult call : CALL.matcher(expression).results().toList()) {
      Object made =
          call.group(2) == null
              ? BfcOptions.class.getMethod(call.group(1)).invoke(options)
              : BfcOptions.class
                  .getMethod(call.group(1), long.class)
                  .invoke(options, Long.parseLong(call.group(2)));
      options = (BfcOptions) made;
    }
    return options;
  }

  private static ReplayResult replay(RandomTrace trace, AllocatorRules rules) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    trace.events().forEach(replay::accept);
    return replay.result();
  }

  @Test
  void paste_ofEachCandidate_isAnExpressionOfTheOptionsThatWereReplayed()
      throws ReflectiveOperationException {
    RandomTrace trace = RandomTrace.of(11);
    long limit = trace.peakRequestedBytes() + 1000;
    for (OptionalLong limitBytes : List.of(OptionalLong.empty(), OptionalLong.of(limit))) {
      for (Candidate candidate : SettingsSpaces.bfc(limitBytes).candidates(trace.tuned())) {
        assertThat(replay(trace, AllocatorRules.bfc(evaluated(candidate.paste()))))
            .as(candidate.settings())
            .isEqualTo(replay(trace, candidate.rules()));
      }
    }
  }

  @Test
  void candidates_withALimit_haveGarbageCollectionAndOneRegion() {
    List<Candidate> all = SettingsSpaces.bfc(OptionalLong.of(1 << 20)).candidates(new TunedTrace());

    assertThat(all.getFirst().settings()).isEmpty();
    assertThat(all.getFirst().paste()).isEqualTo("BfcOptions.growing().withLimit(1048576L)");
    assertThat(all).extracting(Candidate::settings).doesNotHaveDuplicates();
    assertThat(all)
        .extracting(Candidate::paste)
        .contains(
            "BfcOptions.oneRegion(1048576L).withSplitThreshold(65536L)",
            "BfcOptions.growing().withLimit(1048576L).withSplitThreshold(256L)"
                + ".withGarbageCollection()",
            "BfcOptions.expandable().withLimit(1048576L).withTrimThreshold(1L)");
  }
}
