package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class XlaSettingsTest {

  private static final long MIB = 1 << 20;
  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  static LongStream seeds() {
    return Seeds.of(500);
  }

  private static XlaSettings growth() {
    return XlaSettings.defaults().withPreallocation(false);
  }

  private static ReplayResult replayed(AllocatorRules rules, long... requests) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    for (int i = 0; i < requests.length; i++) {
      replay.accept(new AllocationEvent.Allocate("r" + i, requests[i], 0, i));
    }
    return replay.result();
  }

  @Test
  void parse_empty_isTheDefaults() {
    assertThat(XlaSettings.parse("")).isEqualTo(XlaSettings.defaults());
    assertThat(XlaSettings.defaults()).hasToString("");
    assertThat(XlaSettings.defaults().preallocates()).isTrue();
    assertThat(XlaSettings.defaults().memoryFraction()).isEqualTo(0.75);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "XLA_PYTHON_CLIENT_PREALLOCATE=false XLA_CLIENT_MEM_FRACTION=.9",
        "XLA_CLIENT_MEM_FRACTION=0.90,XLA_PYTHON_CLIENT_PREALLOCATE=0",
        "export XLA_PYTHON_CLIENT_PREALLOCATE='False'\nexport XLA_PYTHON_CLIENT_MEM_FRACTION=\"9e-1\"",
        "XLA_PYTHON_CLIENT_PREALLOCATE=false \\\n  XLA_PYTHON_CLIENT_MEM_FRACTION=.9 ;",
        "XLA_PYTHON_CLIENT_PREALLOCATE=true XLA_CLIENT_MEM_FRACTION=.9"
            + " XLA_PYTHON_CLIENT_MEM_FRACTION= XLA_PYTHON_CLIENT_PREALLOCATE=false",
        "XLA_PYTHON_CLIENT_PREALLOCATE=false XLA_CLIENT_MEM_FRACTION=.9"
            + " XLA_PYTHON_CLIENT_ALLOCATOR=BFC TF_FORCE_UNIFIED_MEMORY=false TF_GPU_ALLOCATOR="
      })
  void parse_assignments_haveOneText(String text) {
    XlaSettings settings = XlaSettings.parse(text);
    assertThat(settings).isEqualTo(growth().withMemoryFraction(0.9));
    assertThat(settings)
        .hasToString("XLA_CLIENT_MEM_FRACTION=.9 XLA_PYTHON_CLIENT_PREALLOCATE=false");
    assertThat(XlaSettings.parse(settings.toString())).isEqualTo(settings);
    assertThat(XlaSettings.parse(settings.exportLine())).isEqualTo(settings);
  }

  /** JAX compares the value with false, False and 0. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "FALSE", "no", "1", ""})
  void parse_otherValuesOfPreallocate_preallocate(String value) {
    assertThat(XlaSettings.parse("XLA_PYTHON_CLIENT_PREALLOCATE=" + value))
        .isEqualTo(XlaSettings.defaults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "XLA_CLIENT_MEM_FRACTION=1.5;XLA_CLIENT_MEM_FRACTION is '1.5', expected a number above 0 and"
            + " at most 1, such as .75",
        "XLA_CLIENT_MEM_FRACTION=0;XLA_CLIENT_MEM_FRACTION is '0', expected a number above 0 and at"
            + " most 1, such as .75",
        "XLA_PYTHON_CLIENT_MEM_FRACTION=90%;XLA_PYTHON_CLIENT_MEM_FRACTION is '90%', expected a"
            + " number above 0 and at most 1, such as .75",
        "XLA_CLIENT_MEM_FRACTION=.5 XLA_PYTHON_CLIENT_MEM_FRACTION=.5;XLA_CLIENT_MEM_FRACTION and"
            + " XLA_PYTHON_CLIENT_MEM_FRACTION exclude each other, expected only"
            + " XLA_CLIENT_MEM_FRACTION",
        "XLA_PYTHON_CLIENT_ALLOCATOR=Platform;XLA_PYTHON_CLIENT_ALLOCATOR is 'Platform', which"
            + " Stowage does not simulate, expected default or bfc",
        "XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async;XLA_PYTHON_CLIENT_ALLOCATOR is 'cuda_async', which"
            + " Stowage does not simulate, expected default or bfc",
        "XLA_PYTHON_CLIENT_ALLOCATOR=pool;XLA_PYTHON_CLIENT_ALLOCATOR is 'pool', expected default or"
            + " bfc",
        "TF_GPU_ALLOCATOR=cuda_malloc_async;TF_GPU_ALLOCATOR is 'cuda_malloc_async', which Stowage"
            + " does not simulate, expected settings without it",
        "TF_FORCE_UNIFIED_MEMORY=True;TF_FORCE_UNIFIED_MEMORY is 'True', which Stowage does not"
            + " simulate, expected false",
        "max_split_size_mb:128;'max_split_size_mb:128' is not an assignment, expected one such as"
            + " XLA_PYTHON_CLIENT_PREALLOCATE=false",
        "XLA_FLAGS='--a;the settings have a quote without its end: XLA_FLAGS='--a",
      })
  void parse_wrongSettings_areErrors(String text, String message) {
    assertThatThrownBy(() -> XlaSettings.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void withoutEffect_ofOtherVariables_namesThem() {
    XlaSettings settings =
        XlaSettings.parse(
            "XLA_FLAGS='--xla_gpu_autotune_level=0 --xla_dump_to=/tmp' CUDA_VISIBLE_DEVICES=0"
                + " XLA_CLIENT_MEM_FRACTION=.5");
    assertThat(settings.withoutEffect(OptionalLong.of(MIB)))
        .containsExactly(
            "XLA_FLAGS is not a setting that Stowage knows; it has no effect on the replay",
            "CUDA_VISIBLE_DEVICES is not a setting that Stowage knows; it has no effect on the"
                + " replay");
    assertThat(settings.withoutEffect(UNKNOWN))
        .hasSize(3)
        .startsWith(
            "XLA_CLIENT_MEM_FRACTION has no effect if the memory of the device is not known: add"
                + " --limit");
    assertThat(XlaSettings.defaults().withoutEffect(UNKNOWN)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "XLA_PYTHON_CLIENT_PREALLOCATE=false, true",
    "export TF_GPU_ALLOCATOR=x, true",
    "'CUDA_VISIBLE_DEVICES=0,XLA_FLAGS=x', true",
    "max_split_size_mb:128, false",
    "MY_XLA_FLAGS=1, false",
    "'', false"
  })
  void isAssignedIn_aText_isTrueForVariablesOfXlaAndTensorflow(String text, boolean expected) {
    assertThat(XlaSettings.isAssignedIn(text)).isEqualTo(expected);
  }

  @Test
  void exportLine_ofFractions_hasTheNameOfAllVersions() {
    XlaSettings settings = growth().withMemoryFraction(0.31);
    assertThat(settings.exportLine())
        .isEqualTo("export XLA_PYTHON_CLIENT_MEM_FRACTION=.31 XLA_PYTHON_CLIENT_PREALLOCATE=false");
    assertThat(XlaSettings.defaults().exportLine())
        .isEqualTo(
            "unset XLA_CLIENT_MEM_FRACTION XLA_PYTHON_CLIENT_MEM_FRACTION"
                + " XLA_PYTHON_CLIENT_PREALLOCATE");
    assertThat(XlaSettings.defaults().withMemoryFraction(1))
        .hasToString("XLA_CLIENT_MEM_FRACTION=1");
  }

  /** The limits of two recorded jobs are such shares of an H100, whose memory was not recorded. */
  @ParameterizedTest
  @CsvSource({".3, 25505562624", ".018, 1530920960"})
  void limitBytes_ofAnH100_isThatOfRecordedJobs(String fraction, long expected) {
    XlaSettings settings = XlaSettings.parse("XLA_CLIENT_MEM_FRACTION=" + fraction);
    assertThat(settings.limitBytes(85_015_000_000L)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void limitBytes_anyFraction_isTheShareRoundedUp(long seed) {
    Random random = new Random(seed);
    double fraction = (1 + random.nextInt(1000)) / 1000.0;
    long deviceBytes = 1 + random.nextLong(1L << (1 + random.nextInt(40)));
    // The product of a double and a long below 2^53 is rounded to a double, as in XLA.
    BigInteger share =
        BigDecimal.valueOf(
                new BigDecimal(fraction).multiply(BigDecimal.valueOf(deviceBytes)).doubleValue())
            .setScale(0, RoundingMode.DOWN)
            .toBigInteger();
    long expected = 2 * MIB;
    while (BigInteger.valueOf(expected).compareTo(share) < 0) {
      expected += 2 * MIB;
    }
    XlaSettings settings = XlaSettings.defaults().withMemoryFraction(fraction);
    assertThat(settings.limitBytes(deviceBytes)).isEqualTo(expected);
    assertThat(growth().withMemoryFraction(fraction).limitBytes(deviceBytes)).isEqualTo(expected);
    assertThat(XlaSettings.parse(settings.toString())).isEqualTo(settings);
  }

  @Test
  void limitBytes_ofTheLargestDevice_isAWholeNumberOfUnits() {
    assertThat(XlaSettings.defaults().withMemoryFraction(1).limitBytes(Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE - 2 * MIB + 1);
  }

  @Test
  void rules_withPreallocation_haveOneRegionOfTheLimit() {
    AllocatorRules rules = XlaSettings.defaults().rules(OptionalLong.of(100 * MIB));
    assertThat(rules.start(Optional.empty()).regions()).isEmpty();
    ReplayResult result = replayed(rules, 1000, 50 * MIB, 30 * MIB);
    assertThat(result.regionBytes()).containsExactly(76 * MIB);
    assertThat(result.failures()).isEqualTo(1);
    assertThat(rules.doubts(Optional.empty())).isEmpty();
  }

  @Test
  void rules_withGrowth_doubleRegionsUpToTheLimit() {
    ReplayResult result =
        replayed(growth().rules(OptionalLong.of(100 * MIB)), 1000, 50 * MIB, 8 * MIB);
    assertThat(result.regionBytes()).containsExactly(2 * MIB, 64 * MIB, 10 * MIB);
    assertThat(result.failures()).isZero();
    assertThat(replayed(growth().rules(UNKNOWN), 1000, 50 * MIB, 8 * MIB).regionBytes())
        .containsExactly(2 * MIB, 64 * MIB, 64 * MIB);
    assertThat(growth().rules(UNKNOWN).doubts(Optional.empty()))
        .containsExactly(
            "Of equal chunks, the allocator takes the one at the lowest address, and the addresses"
                + " of regions differ between runs.");
  }

  @Test
  void rules_withPreallocationOfAnUnknownDevice_areAnError() {
    assertThatThrownBy(() -> XlaSettings.defaults().rules(UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("preallocation takes a share of the memory of the device, which is not known");
  }

  @Test
  void withMemoryFraction_outOfBounds_throws() {
    assertThatThrownBy(() -> XlaSettings.defaults().withMemoryFraction(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("fraction must be above 0 and at most 1: fraction=0.0");
  }
}
