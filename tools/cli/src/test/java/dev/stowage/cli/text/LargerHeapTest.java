package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargerHeapTest {

  @ParameterizedTest
  @CsvSource({"16, 1", "512, 1", "513, 2", "4096, 8", "16000, 32"})
  void remedy_heap_isALineWithTwiceOfIt(long mebibytes, long gibibytes) {
    assertThat(LargerHeap.remedy(List.of("replay", "my trace.pickle"), mebibytes << 20))
        .isEqualTo(
            "run it with a larger heap: JAVA_TOOL_OPTIONS=-Xmx"
                + gibibytes
                + "g stowage replay 'my trace.pickle'");
  }
}
