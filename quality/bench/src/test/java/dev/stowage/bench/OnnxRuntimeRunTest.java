package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class OnnxRuntimeRunTest {

  @Test
  void of_generatedModel_outputsAreTheSame() throws OrtException {
    OnnxRuntimeRun run = OnnxRuntimeRun.of(ConvolutionModel.bytes(), Duration.ZERO, 1);
    assertThat(run.isIdentical()).isTrue();
    assertThat(run.allocations()).isPositive();
    assertThat(run.times().pairs()).hasSize(20);
  }

  @Test
  void ratios_ofPairs_areThoseOfMedians() {
    OnnxRuntimeTimes times =
        new OnnxRuntimeTimes(
            IntStream.rangeClosed(1, 20)
                .mapToObj(index ->
                    new OnnxRuntimeTimes.Pair(
                        new OnnxRuntimeTimes.Run(2000L * index, 1000L * index),
                        new OnnxRuntimeTimes.Run(3000L * index, 1000L * index)))
                .toList());
    assertThat(times.ownMedianMicros()).isEqualTo(21);
    assertThat(times.ourMedianMicros()).isEqualTo(31.5);
    assertThat(times.ratio()).isEqualTo(1.5);
    assertThat(times.cpuRatio()).isEqualTo(1);
    assertThat(times.cpuRatiosOfParts()).hasSize(10).containsOnly(1);
  }
}
