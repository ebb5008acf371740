package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import dev.stowage.tflite.offline.MicroModels;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.schema.BatchMatMulOptionsT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.BuiltinOptionsUnion;
import org.tensorflow.lite.schema.SubGraphT;

/**
 * Compares arenas with those of TensorFlow Lite Micro, 90b983c2b, which was built for 32 bits with
 * reference kernels. For each model, {@code arenas.csv} has the result of {@code
 * arena_used_bytes()}, the smallest arena with which {@code AllocateTensors()} works, in steps of
 * 16 bytes, and the arena that this package computes.
 */
class MicroTailTest {

  private record Measured(String model, long usedBytes, long leastBytes, long arenaBytes) {}

  private static List<Measured> measured() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(MicroTailTest.class.getResourceAsStream("arenas.csv")),
                StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .skip(1)
          .map(row -> row.split(",", -1))
          .map(row ->
              new Measured(
                  row[0], Long.parseLong(row[1]), Long.parseLong(row[2]), Long.parseLong(row[3])))
          .toList();
    }
  }

  private static Optional<Path> find(String model) {
    return model.startsWith("examples/")
        ? Optional.of(SampleModels.examples().resolve(model.substring("examples/".length())))
        : SampleModels.find(model);
  }

  private static boolean isInEachClone(String model) {
    return model.startsWith("examples/") || Files.exists(SampleModels.folder(model));
  }

  /** {@return the arena with the plan in the model, if it has one} */
  private static long arenaBytes(Path model) throws IOException {
    MicroArena arena = MicroArenaReader.read(model);
    MicroArena whole = arena.withScratch(arena.referenceScratch());
    return whole.tail(arena.filePlan()).arenaBytes(whole.headBytes(arena.filePlan()));
  }

  /** Most are exact; others have custom operators or need the most memory to start. */
  @Test
  void arenaBytes_realModels_areNeverBelowThoseOfTheInterpreter() throws IOException {
    int inEachClone = 0;
    int compared = 0;
    int exact = 0;
    for (Measured model : measured()) {
      Optional<Path> file = find(model.model());
      if (file.isPresent()) {
        long bytes = arenaBytes(file.get());
        assertThat(bytes)
            .as(model.model())
            .isEqualTo(model.arenaBytes())
            .isGreaterThanOrEqualTo(model.leastBytes())
            .isGreaterThanOrEqualTo(model.usedBytes());
        compared++;
        exact += bytes == model.leastBytes() ? 1 : 0;
        inEachClone += isInEachClone(model.model()) ? 1 : 0;
      }
    }
    assertThat(inEachClone).isEqualTo(18);
    assertThat(exact).isGreaterThanOrEqualTo(compared * 3 / 4);
  }

  /* The two multipliers of 5 channels have 20 bytes each, rounded up to 32. */
  @Test
  void tailBytes_ofAConvolution_countsItsChannels() throws IOException {
    assertThat(convolution(5).tail(Optional.empty()).bytes())
        .isEqualTo(convolution(1).tail(Optional.empty()).bytes() + 32);
  }

  /*
   * The kernel keeps a tensor of 12 bytes, a shape of 4 + 4 bytes and the 100 bytes of the
   * transposed input, each rounded up to 16.
   */
  @Test
  void tailBytes_ofABatchMatmul_countsTheTransposedInput() throws IOException {
    assertThat(matmul(true).tail(Optional.empty()).bytes())
        .isEqualTo(matmul(false).tail(Optional.empty()).bytes() + 16 + 16 + 112);
  }

  private static MicroArena matmul(boolean isTransposed) throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 100, 16);
    main.setInputs(new int[] {0, 1});
    main.setOutputs(new int[] {2});
    model.operator(main, BuiltinOperator.BATCH_MATMUL, new int[] {0, 1}, 2);
    BatchMatMulOptionsT options = new BatchMatMulOptionsT();
    options.setAdjY(!isTransposed); // the kernel reads the second input by columns
    BuiltinOptionsUnion union = new BuiltinOptionsUnion();
    union.setType(BuiltinOptions.BatchMatMulOptions);
    union.setValue(options);
    main.getOperators()[0].setBuiltinOptions(union);
    return MicroArenaReader.read("model", ByteBuffer.wrap(model.write()));
  }

  private static MicroArena convolution(int channels) throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16, 16);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {2});
    main.getTensors()[1].setShape(new int[] {channels, 1, 1, 3});
    model.operator(main, BuiltinOperator.CONV_2D, new int[] {0, 1}, 2);
    return MicroArenaReader.read("model", ByteBuffer.wrap(model.write()));
  }
}
