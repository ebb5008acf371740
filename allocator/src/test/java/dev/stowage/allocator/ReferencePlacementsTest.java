package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The placements of TensorFlow's allocator for generated requests. */
class ReferencePlacementsTest {

  /*
   * Each line has one of these forms:
   *
   *   a ID BYTES REGION OFFSET    the region by ascending address; "- -" if the request failed
   *   f ID                        no effect if the request failed
   *   region INDEX BYTES          a region at the end
   *   stats NAME=VALUE ...        the statistics at the end
   */

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dl_growth-limit_2",
        "dl_growth_1",
        "dl_one-region_0",
        "huge_growth-limit_2",
        "huge_growth_1",
        "huge_one-region_0",
        "mixed_growth-limit_2",
        "mixed_growth_1",
        "mixed_one-region_0",
        "tiny_growth-limit_2",
        "tiny_growth_1",
        "tiny_one-region_0"
      })
  void allocate_requestsOfAFile_placementsOfTheReference(String fileName) throws IOException {
    List<String> lines = lines("reference/" + fileName + ".txt.gz");
    BfcAllocator allocator =
        new BfcAllocator(fileName, ScriptedRegions.ascending(), options(fields(lines.getFirst())));
    replay(allocator, lines.subList(1, lines.size()));
    allocator.internals().checkInvariants();
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream file =
        new GZIPInputStream(
            Objects.requireNonNull(
                ReferencePlacementsTest.class.getResourceAsStream(resource), resource))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static void replay(BfcAllocator allocator, List<String> lines) {
    Map<String, Long> live = new HashMap<>();
    List<Long> regions = new ArrayList<>();
    int allocations = 0;
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "a" -> {
          OptionalLong address = allocator.tryAllocate(Long.parseLong(words[2]), 256);
          assertThat(placement(allocator, address)).as(line).isEqualTo(line.split(" ", 4)[3]);
          if (address.isPresent()) {
            live.put(words[1], address.getAsLong());
            allocations++;
          }
        }
        case "f" -> {
          Long address = live.remove(words[1]);
          if (address != null) {
            allocator.free(address);
          }
        }
        case "region" -> regions.add(Long.parseLong(words[2]));
        case "stats" -> assertStatistics(allocator.statistics(), fields(line));
        default -> throw new AssertionError("unknown line: " + line);
      }
    }
    assertThat(regions).isNotEmpty();
    assertThat(allocator.regions().stream().map(BfcAllocator.Region::bytes).toList())
        .isEqualTo(regions);
    assertThat(allocator.statistics().allocations()).isEqualTo(allocations);
    assertThat(allocator.statistics().chunksInUse()).isEqualTo(live.size());
  }

  private static String placement(BfcAllocator allocator, OptionalLong address) {
    if (address.isEmpty()) {
      return "- -";
    }
    List<BfcAllocator.Region> regions = allocator.regions();
    for (int i = 0; i < regions.size(); i++) {
      long offset = address.getAsLong() - regions.get(i).address();
      if (offset >= 0 && offset < regions.get(i).bytes()) {
        return i + " " + offset;
      }
    }
    throw new AssertionError("in no region: " + address);
  }

  private static void assertStatistics(AllocatorStatistics actual, Map<String, String> expected) {
    assertThat(expected).hasSize(3);
    assertThat(actual.bytesInUse()).isEqualTo(number(expected, "bytes_in_use"));
    assertThat(actual.peakBytesInUse()).isEqualTo(number(expected, "peak_bytes_in_use"));
    assertThat(actual.reservedBytes()).isEqualTo(number(expected, "reserved_bytes"));
  }

  private static BfcOptions options(Map<String, String> fields) {
    String limit = field(fields, "limit_bytes");
    return Presets.of(
            field(fields, "growth").equals("x2") ? RegionGrowth.DOUBLING : RegionGrowth.ONE_REGION,
            limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit))
        .withFirstRegion(number(fields, "initial_region_bytes"))
        .withSplitThreshold(number(fields, "max_dead_bytes"));
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(field(fields, name));
  }

  private static String field(Map<String, String> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        fields.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return fields;
  }
}
