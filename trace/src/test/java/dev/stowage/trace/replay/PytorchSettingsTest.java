package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PytorchSettingsTest {

  private static final long MIB = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(500);
  }

  @Test
  void parse_empty_isTheDefaults() {
    assertThat(PytorchSettings.parse("")).isEqualTo(PytorchSettings.defaults());
    assertThat(PytorchSettings.defaults()).hasToString("");
  }

  @Test
  void parse_allNames_haveTheirValues() {
    PytorchSettings settings =
        PytorchSettings.parse(
            " max_split_size_mb : 128, expandable_segments:True,max_non_split_rounding_mb:30,"
                + "large_segment_size_mb:24,garbage_collection_threshold:0.6,"
                + "per_process_memory_fraction:0.8,pinned_use_background_threads:True,"
                + "pinned_num_register_threads:8,backend:native,");
    assertThat(settings)
        .isEqualTo(
            PytorchSettings.defaults()
                .withMaxSplit(128 * MIB)
                .withExpandable(true)
                .withMaxNonSplitRounding(30 * MIB)
                .withLargeSegment(24 * MIB)
                .withGarbageCollection(0.6)
                .withMemoryFraction(0.8));
  }

  @ParameterizedTest
  @CsvSource({"4, 32, 8", "4, 64, 8", "4, 128, 2", "4, 256, 4", "4, 512, 2", "4, 1024, 4"})
  void parse_listOfDivisions_isForTheSizes(int ignored, long megabytes, int divisions) {
    PytorchSettings settings =
        PytorchSettings.parse("roundup_power2_divisions:[64:8,128:2,256:4,512:2,1024:4,>:1]");
    long bytes = megabytes * MIB + 1;
    long step = megabytes * MIB / divisions;
    assertThat(settings.blockBytes(bytes)).isEqualTo(megabytes * MIB + step);
    assertThat(settings.blockBytes(2048 * MIB + 1)).isEqualTo(2048 * MIB + 512);
  }

  @Test
  void blockBytes_divisions_roundToTheNextOne() {
    PytorchSettings settings = PytorchSettings.parse("roundup_power2_divisions:4");
    assertThat(settings.blockBytes(1200)).isEqualTo(1536);
    assertThat(settings.blockBytes(2049)).isEqualTo(2560);
    assertThat(settings.blockBytes(4096)).isEqualTo(4096);
    assertThat(settings.blockBytes(4097)).isEqualTo(5120);
    assertThat(PytorchSettings.defaults().blockBytes(513)).isEqualTo(1024);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void toString_anySettings_parseToTheSame(long seed) {
    Random random = new Random(seed);
    int[] divisions = new int[16];
    for (int i = 0; i < divisions.length; i++) {
      divisions[i] = random.nextInt(3) == 0 && i > 0 ? divisions[i - 1] : 1 << random.nextInt(4);
      divisions[i] = random.nextInt(4) == 0 ? 0 : divisions[i];
    }
    PytorchSettings settings =
        PytorchSettings.defaults()
            .withLargeSegment((11 + random.nextInt(30)) * MIB)
            .withMaxSplit((50 + random.nextInt(300)) * MIB)
            .withMaxNonSplitRounding((50 + random.nextInt(30)) * MIB)
            .withGarbageCollection(random.nextInt(100) / 100.0)
            .withMemoryFraction(random.nextInt(101) / 100.0)
            .withRoundup(divisions)
            .withExpandable(random.nextBoolean());
    PytorchSettings parsed = PytorchSettings.parse(settings.toString());
    assertThat(parsed).hasToString(settings.toString());
    long bytes = 1 + random.nextLong(80L << 30);
    assertThat(parsed.blockBytes(bytes)).isEqualTo(settings.blockBytes(bytes));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "max_split_size_mb:19;setting 'max_split_size_mb' is '19', expected 20 or more",
        "large_segment_size_mb:24,max_split_size_mb:23;setting 'max_split_size_mb' is '23',"
            + " expected 24 or more",
        "large_segment_size_mb:10;setting 'large_segment_size_mb' is '10', expected 11 or more",
        "max_split_size_mb:many;setting 'max_split_size_mb' is 'many', expected a whole number",
        "max_split_size_mb:-1;setting 'max_split_size_mb' is '-1', expected a whole number",
        "max_split_size_mb;the settings have 'the end' after 'max_split_size_mb', expected ':'",
        "max_split_size_mb:;setting 'max_split_size_mb' has no value",
        "garbage_collection_threshold:1;setting 'garbage_collection_threshold' is '1', expected a"
            + " number above 0 and below 1",
        "garbage_collection_threshold:NaN;setting 'garbage_collection_threshold' is 'NaN', expected"
            + " a number above 0 and below 1",
        "per_process_memory_fraction:1.5;setting 'per_process_memory_fraction' is '1.5', expected a"
            + " number from 0 to 1",
        "expandable_segments:true;setting 'expandable_segments' is 'true', expected True or False",
        "roundup_power2_divisions:3;setting 'roundup_power2_divisions' is '3', expected a power of"
            + " two",
        "roundup_power2_divisions:0;setting 'roundup_power2_divisions' is '0', expected a power of"
            + " two",
        "roundup_power2_divisions:[3:1];setting 'roundup_power2_divisions' is '3', expected a size"
            + " in MiB that is a power of two",
        "roundup_power2_divisions:[256:1;the settings have 'the end' at the end of the list of"
            + " 'roundup_power2_divisions', expected ']'",
        "backend:cudaMallocAsync;setting 'backend' is 'cudaMallocAsync', expected native, the"
            + " allocator whose rules are known",
        "max_split_size:128;'max_split_size' is not a setting of PyTorch's allocator, expected"
            + " max_split_size_mb",
        "expandable_segments_reserve:0;setting 'expandable_segments_reserve' is '0', expected a"
            + " share of the memory, such as 0.5, or GiB, such as 40G",
        "max_split_size_mb:20 expandable_segments:True;setting 'max_split_size_mb' is"
            + " '20expandable_segments', expected a whole number without text behind it (PyTorch"
            + " reads 20)"
      })
  void parse_rejectedByPytorch_isAnError(String text, String message) {
    assertThatThrownBy(() -> PytorchSettings.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void parse_settingsOfNewerVersions_areKeptWithoutEffect() {
    PytorchSettings settings =
        PytorchSettings.parse("defragment:[weekly:2,daily:4],max_split_size_mb:64,turbo:True");
    assertThat(settings.unknownNames()).containsExactly("defragment", "turbo");
    assertThat(settings.maxSplitBytes()).isEqualTo(64 * MIB);
    assertThat(settings)
        .hasToString("max_split_size_mb:64,defragment:[weekly:2,daily:4],turbo:True");
    assertThat(PytorchSettings.parse(settings.toString())).isEqualTo(settings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage_collection_threshold:0.5", "per_process_memory_fraction:0.5"})
  void withoutEffect_withoutALimit_namesTheSetting(String text) {
    PytorchSettings settings = PytorchSettings.parse(text);
    assertThat(settings.withoutEffect(OptionalLong.empty()))
        .singleElement()
        .asString()
        .startsWith(text.substring(0, text.indexOf(':')) + " has no effect");
  }

  @Test
  void withoutEffect_completeSettings_isEmpty() {
    PytorchSettings settings =
        PytorchSettings.parse(
            "garbage_collection_threshold:0.5,per_process_memory_fraction:0.5,"
                + "max_split_size_mb:64,max_non_split_rounding_mb:32");
    assertThat(settings.withoutEffect(OptionalLong.of(MIB))).isEmpty();
    assertThat(
            PytorchSettings.parse("max_non_split_rounding_mb:32").withoutEffect(OptionalLong.of(1)))
        .containsExactly("max_non_split_rounding_mb has no effect without max_split_size_mb");
  }
}
