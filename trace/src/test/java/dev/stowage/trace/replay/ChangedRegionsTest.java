package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The changes of the regions of each allocator, compared with all regions after each event. */
class ChangedRegionsTest {

  static LongStream seeds() {
    return Seeds.of(40);
  }

  private static List<AllocatorRules> rules(Random random) {
    OptionalLong limit =
        random.nextBoolean()
            ? OptionalLong.empty()
            : OptionalLong.of(1L << (26 + random.nextInt(6)));
    long mostBytes = limit.orElse(1L << 40);
    List<AllocatorRules> rules = new ArrayList<>();
    rules.add(AllocatorRules.bfc(BfcOptions.growing().withLimit(mostBytes)));
    rules.add(
        AllocatorRules.bfc(BfcOptions.growing().withLimit(mostBytes).withGarbageCollection()));
    rules.add(AllocatorRules.bfc(BfcOptions.expandable().withLimit(mostBytes)));
    rules.add(none -> new RmmPool(0, limit));
    for (String settings :
        List.of(
            "", "expandable_segments:True", "max_split_size_mb:32", "large_segment_size_mb:64")) {
      rules.add(
          PytorchRules.asRecorded().withSettings(PytorchSettings.parse(settings)).withLimit(limit));
    }
    return rules;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void changedRegions_afterAnyEvents_addUpToAllRegions(long seed) {
    Random random = new Random(seed);
    for (AllocatorRules rules : rules(random)) {
      TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
      Map<Integer, HeldRegion> known = new TreeMap<>();
      List<String> live = new ArrayList<>();
      int silent = random.nextInt(50); // changes before the first question
      for (int event = 0; event < 300; event++) {
        if (!live.isEmpty() && random.nextDouble() < 0.45) {
          replay.accept(
              new AllocationEvent.Free(live.remove(random.nextInt(live.size())), 0, event));
        } else {
          String id = Integer.toString(event);
          long bytes = (long) Math.scalb(1 + random.nextDouble(), 8 + random.nextInt(17));
          replay.accept(new AllocationEvent.Allocate(id, bytes, random.nextInt(2), event));
          live.add(id);
        }
        if (event >= silent) {
          for (HeldRegion changed : replay.changedRegions()) {
            if (changed.bytes() > 0) {
              known.put(changed.index(), changed);
            } else {
              known.remove(changed.index());
            }
          }
          assertThat(known)
              .isEqualTo(
                  replay.regions().stream()
                      .collect(Collectors.toMap(HeldRegion::index, Function.identity())));
          assertThat(replay.changedRegions()).isEmpty();
        }
      }
    }
  }
}
