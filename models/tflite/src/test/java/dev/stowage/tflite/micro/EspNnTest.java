package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * Compares {@link EspNn} with the functions of ESP-NN, compiled for x86-64: {@code
 * espnn-scratch.csv} has rows 0, 38, 76, 114 and so on, row k n / 500 for k from 0 to 499, of the n
 * rows of the larger set, {@code oracles/espnn_scratch.csv.gz}.
 */
class EspNnTest {

  private static final String SAMPLE = "espnn-scratch.csv";

  private static final int SAMPLE_COUNT = 500;

  @Test
  void bytes_ofASample_areThoseOfTheCompiledFunctions() throws IOException {
    List<String> rows = rows(Objects.requireNonNull(EspNnTest.class.getResourceAsStream(SAMPLE)));

    assertThat(rows).hasSize(SAMPLE_COUNT);
    assertThat(rows.stream().filter(row -> bytes(row) != expected(row))).isEmpty();
  }

  @Test
  void bytes_ofAllRowsIfPresent_areThoseOfTheCompiledFunctions() throws IOException {
    Optional<Path> file = SampleModels.find("oracles/espnn_scratch.csv.gz");
    if (file.isPresent()) {
      List<String> rows = rows(new GZIPInputStream(Files.newInputStream(file.get())));

      assertThat(rows).hasSize(19_108);
      assertThat(rows.stream().filter(row -> bytes(row) != expected(row))).isEmpty();
      List<String> sample = new ArrayList<>();
      for (int k = 0; k < SAMPLE_COUNT; k++) {
        sample.add(rows.get(k * rows.size() / SAMPLE_COUNT));
      }
      assertThat(rows(Objects.requireNonNull(EspNnTest.class.getResourceAsStream(SAMPLE))))
          .isEqualTo(sample);
    }
  }

  private static List<String> rows(InputStream in) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).toList();
    }
  }

  private static long expected(String row) {
    return Long.parseLong(row.substring(row.lastIndexOf(',') + 1));
  }

  private static long bytes(String row) {
    String[] fields = row.split(",", -1);
    String target = fields[1].equals("opt") ? "esp32" : fields[1];
    int operator =
        switch (fields[2]) {
          case "CONV_2D" -> BuiltinOperator.CONV_2D;
          case "DEPTHWISE_CONV_2D" -> BuiltinOperator.DEPTHWISE_CONV_2D;
          case "SOFTMAX" -> BuiltinOperator.SOFTMAX;
          case "HARD_SWISH" -> BuiltinOperator.HARD_SWISH;
          case "LOGISTIC" -> BuiltinOperator.LOGISTIC;
          default -> throw new AssertionError(row);
        };
    long[] of = new long[13];
    for (int i = 0; i < of.length; i++) {
      of[i] = Long.parseLong(fields[3 + i]);
    }
    return EspNn.named("esp-nn-" + fields[0] + "@" + target)
        .getFirst()
        .bytes(
            operator,
            new EspNnShape(
                new EspNnShape.Size(of[0], of[1]),
                of[2],
                new EspNnShape.Size(of[3], of[4]),
                new EspNnShape.Size(of[6], of[7]),
                of[8],
                new EspNnShape.Size(of[9], of[10]),
                new EspNnShape.Size(of[11], of[12]),
                of[5]));
  }

  @ParameterizedTest
  @CsvSource({
    "1.0.2, esp32p4, SOFTMAX, 80", // the optimized kernels of all chips
    "1.0.2, esp32p4, CONV_2D, 0",
    "1.1.0, esp32s3, SOFTMAX, 80",
    "1.2.3, ansi, SOFTMAX, 0"
  })
  void bytes_withoutAFunctionForTheTarget_areThoseOfTheOptimizedKernels(
      String version, String target, String operator, long bytes) {
    String shape = ",20,5,40,1,5,40,1,1,32,1,3,0,0,";

    assertThat(bytes(version + "," + target + "," + operator + shape + bytes)).isEqualTo(bytes);
  }

  @SampleSource(
      folder = "models/wakeword",
      extension = ".tflite",
      value = {
        "okay_nabu, esp-nn-1.2.0@esp32s3, 11472",
        "okay_nabu, esp-nn-1.2.1@esp32s3, 19440",
        "hey_jarvis, esp-nn-1.2.1@esp32s3, 17840",
        "vad, esp-nn-1.2.1@esp32s3, 17088"
      })
  @ParameterizedTest(allowZeroInvocations = true) // the models are of the larger set
  void headBytes_ofWakeWords_areThoseOfLogsOfDevices(Path model, String kernels, long headBytes)
      throws IOException {
    MicroArena arena = MicroArenaReader.read(model);

    assertThat(arena.withKernels(EspNn.named(kernels)).headBytes(Optional.empty()))
        .isEqualTo(headBytes);
  }

  @Test
  void named_any_returnsAllReleasesInTheirOrder() {
    assertThat(EspNn.named("any@esp32s3"))
        .extracting(EspNn::name)
        .hasSize(12)
        .startsWith("esp-nn-1.0-beta@esp32s3", "esp-nn-1.0.0-rc1@esp32s3")
        .endsWith("esp-nn-1.2.3@esp32s3");
  }

  @Test
  void named_revisionOfTheComponentRegistry_isTheRelease() {
    assertThat(EspNn.named("esp-nn-1.2.0~1@esp32s3"))
        .extracting(EspNn::name)
        .containsExactly("esp-nn-1.2.0@esp32s3");
  }

  @Test
  void named_laterRelease_isUnknown() {
    assertThatThrownBy(() -> EspNn.named("esp-nn-1.5.0@esp32s3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the scratch buffers of 'esp-nn-1.5.0@esp32s3' are unknown; log them on the device and use --scratch FILE; expected one of 1.0-beta, 1.0.0-rc1, 1.0.0, 1.0.1, 1.0.2, 1.1.0, 1.1.1, 1.1.2, 1.2.0, 1.2.1, 1.2.2, 1.2.3");
  }

  @ParameterizedTest
  @CsvSource({"cmsis-nn", "esp-nn-1.2.1", "esp-nn-1.2.1@esp32c3", "any", "ethos-u@esp32s3"})
  void named_otherKernels_areUnknown(String name) {
    assertThatThrownBy(() -> EspNn.named(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the scratch buffers of '"
                + name
                + "' are unknown; log them on the device and use --scratch FILE; expected esp-nn-VERSION@TARGET or any@TARGET with TARGET ansi, esp32 (also for chips without kernels of their own), esp32s3 or esp32p4, such as esp-nn-1.2.1@esp32s3");
  }
}
