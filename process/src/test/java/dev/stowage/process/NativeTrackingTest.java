package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.process.NativeTracking.Amount;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outputs of Native Memory Tracking of several versions, whole and cut. */
class NativeTrackingTest {

  private static final long KIB = 1 << 10;

  @ParameterizedTest
  @CsvSource({"'', 1", "KB, 1024", "MB, 1048576", "GB, 1073741824"})
  void of_anyUnit_hasBytes(String unit, long bytes) {
    NativeTracking tracking =
        NativeTracking.of(
            "Total: reserved=9U, committed=7U\n- Java Heap (reserved=6U, committed=5U)\n"
                .replace("U", unit));

    assertThat(tracking.total().committed()).isEqualTo(new Amount(7 * bytes, 0, true));
    assertThat(tracking.heapBytes()).isEqualTo(6 * bytes);
  }

  /** Arenas of the virtual machine are requests to the C library. */
  @Test
  void of_arenas_addsThemToRequests() {
    NativeTracking.Purpose thread =
        NativeTracking.of(
                """
                Total: reserved=9KB, committed=9KB
                       malloc: 5KB #7, peak=6KB #8
                -                    Thread (reserved=34635KB, committed=34635KB)
                                     (thread #83)
                                     (stack: reserved=34272KB, committed=34272KB)
                                     (malloc=267KB tag=Thread #423) (peak=300KB #2)
                                     (arena=96KB #164)
                """)
            .purposes()
            .getFirst();

    assertThat(thread.name()).isEqualTo("Thread");
    assertThat(thread.mallocBytes()).isEqualTo(OptionalLong.of(363 * KIB));
    assertThat(thread.hasStacks()).isTrue();
  }

  @Test
  void of_aDifferenceThatIsCut_hasTheGrowthAndNoCommittedBytes() {
    NativeTracking tracking =
        NativeTracking.of(
            """
            Total: reserved=100KB +20KB, committed=50KB -5KB
            -                    Thread (reserved=80KB +18KB, commi\
            """);

    assertThat(tracking.isDifference()).isTrue();
    assertThat(tracking.total().committed()).isEqualTo(new Amount(50 * KIB, -5 * KIB, true));
    assertThat(tracking.purposes().getFirst().reserved())
        .isEqualTo(new Amount(80 * KIB, 18 * KIB, true));
    assertThat(tracking.purposes().getFirst().committed().isKnown()).isFalse();
  }

  /** The lists after the summary repeat its bytes. The last of two outputs counts. */
  @Test
  void of_twoOutputsInDetail_hasTheSummaryOfTheLastOne() {
    String output =
        """
        Total: reserved=10KB, committed=%dKB
                       Class (reserved=9KB, committed=8KB)
                             (malloc=3KB #1)
                             (  free=2KB)
        Virtual memory map:
        [0x1 - 0x2] reserved 9KB for Class from
        Details:
                             (malloc=3KB type=Class #1)
        """;
    NativeTracking tracking =
        NativeTracking.of(String.format(output, 8) + String.format(output, 9));

    assertThat(tracking.total().committed().bytes()).isEqualTo(9 * KIB);
    assertThat(tracking.purposes()).hasSize(1);
    assertThat(tracking.purposes().getFirst().mallocBytes()).isEqualTo(OptionalLong.of(3 * KIB));
    assertThat(tracking.purposes().getFirst().freeBytes()).isEqualTo(2 * KIB);
  }
}
